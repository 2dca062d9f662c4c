// The program's text with numbered lines. Of a long file only the lines around the trace are shown.
import type { OutputContext } from '../context.js'
import { invariantsByLine } from './invariants.js'
import { escapeHtml, tag } from './markup.js'

const MAX_LINES = 1500
const AROUND = 12

export const sourcePane = (context: OutputContext): string => {
  const { report, sources } = context
  const steps = [...(report.trace?.steps ?? []), ...(report.trace?.targets ?? [])]
  return [...sources]
    .map(([file, text]) => {
      const used = new Set(steps.filter((step) => step.file === file).map((step) => step.line))
      return `<h2>${escapeHtml(file)}</h2>\n<ol class="code" data-file="${escapeHtml(file)}">${listing(text, used, invariantsByLine(context, file))}</ol>`
    })
    .join('\n')
}

const listing = (text: string, used: ReadonlySet<number>, holds: ReadonlyMap<number, string>): string => {
  const lines = text.replace(/\n$/, '').split('\n')
  const near = (line: number): boolean => [...used].some((u) => Math.abs(u - line) <= AROUND)
  const isShown = (line: number): boolean => lines.length <= MAX_LINES || near(line) || (used.size === 0 && line <= 200)
  let comment = false
  let gap = false
  const parts: string[] = []
  lines.forEach((line, i) => {
    const marked = highlight(line, comment)
    comment = marked.comment
    if (isShown(i + 1)) {
      parts.push(
        noteOf(holds.get(i + 1), line),
        `<li value="${i + 1}" data-line="${i + 1}"${used.has(i + 1) ? ' class="used"' : ''}>${marked.html}</li>`,
      )
      gap = false
    } else if (!gap) {
      parts.push(tag('li', '…', 'gap'))
      gap = true
    }
  })
  return parts.join('')
}

/** Above the line, because it holds before the line is executed, and indented like it. */
const noteOf = (holds: string | undefined, line: string): string =>
  holds === undefined ? '' : tag('li', `${/^\s*/.exec(line)![0]}${holds}`, 'holds')

const TOKEN =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(^\s*#\s*\w+)|\b(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|_Atomic)\b/g

/** Comments, strings and keywords; `comment`: a comment of several lines is open. */
const highlight = (line: string, comment: boolean): { readonly html: string; readonly comment: boolean } => {
  if (comment) {
    const end = line.indexOf('*/')
    if (end < 0) return { html: tag('i', line) || ' ', comment: true }
    const rest = highlight(line.slice(end + 2), false)
    return { html: tag('i', line.slice(0, end + 2)) + rest.html, comment: rest.comment }
  }
  let html = ''
  let at = 0
  let open = false
  for (const match of line.matchAll(TOKEN)) {
    html += escapeHtml(line.slice(at, match.index))
    const [text, remark, quoted] = match
    html += remark ? tag('i', text) : quoted ? tag('q', text) : tag('b', text)
    open = remark?.startsWith('/*') === true && !(remark.length > 3 && remark.endsWith('*/'))
    at = match.index + text.length
  }
  return { html: html + escapeHtml(line.slice(at)) || ' ', comment: open }
}
