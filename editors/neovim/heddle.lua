-- Heddle's language server in Neovim (0.7 or newer). Put this file on the runtime path and call
-- require('heddle').setup{} from your configuration, or `:luafile` it as it is.
local M = {}

-- Starts the server for a buffer of C, or attaches the buffer to the one that runs.
function M.setup(options)
  options = options or {}
  local command = options.cmd or { 'heddle', 'lsp' }
  local client
  local function attach(buffer)
    if not client then
      client = vim.lsp.start_client({
        name = 'heddle',
        cmd = command,
        init_options = options.settings,
        root_dir = vim.fn.getcwd(),
        on_exit = function() client = nil end,
      })
    end
    vim.lsp.buf_attach_client(buffer, client)
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'c',
    callback = function(event) attach(event.buf) end,
  })
end

-- The interleaving of the diagnostic under the cursor, as the location list: `:lnext` goes to its next step.
function M.interleaving()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local items = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line })) do
    local lsp = (diagnostic.user_data or {}).lsp or {}
    for _, step in ipairs(lsp.relatedInformation or {}) do
      local start = step.location.range.start
      table.insert(items, {
        filename = vim.uri_to_fname(step.location.uri),
        lnum = start.line + 1,
        col = start.character + 1,
        text = step.message,
      })
    end
  end
  vim.fn.setloclist(0, {}, ' ', { title = 'heddle: the interleaving', items = items })
  if #items > 0 then vim.cmd('lfirst') end
  return #items
end

return M
