-- Opens a file in a real Neovim, waits for the diagnostics of the language server, and goes through the interleaving.
-- Prints one line of JSON for the test. Arguments come in the environment.
vim.opt.runtimepath:append(vim.env.HEDDLE_EDITORS)
package.path = vim.env.HEDDLE_EDITORS .. '/?.lua;' .. package.path
local heddle = require('heddle')
heddle.setup({
  cmd = { vim.env.HEDDLE_NODE, vim.env.HEDDLE_MAIN, 'lsp' },
  settings = { properties = { 'assert' }, timeout = 20000 },
})
vim.cmd('filetype on')
vim.cmd('edit ' .. vim.env.HEDDLE_FILE)
vim.wait(40000, function() return #vim.diagnostic.get(0) > 0 end, 100)
local found = vim.diagnostic.get(0)[1]
local answer = { found = found ~= nil }
if found then
  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, 0 })
  answer.line = found.lnum + 1
  answer.message = found.message
  answer.steps = heddle.interleaving()
  answer.first = vim.api.nvim_win_get_cursor(0)[1]
  vim.cmd('llast')
  answer.last = vim.api.nvim_win_get_cursor(0)[1]
end
io.stdout:write(vim.fn.json_encode(answer) .. '\n')
vim.lsp.stop_client(vim.lsp.get_active_clients(), true)
vim.cmd('qall!')
