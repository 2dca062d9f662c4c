// Text into HTML.
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A statement in a narrow box: long names break after their underscores, not anywhere. */
export const statementHtml = (text: string): string =>
  `<code>${escapeHtml(text).replace(/([\w)]_|\w\(|->|\w\.)(?=\w|&amp;)/g, '$1<wbr>')}</code>`

export const tag = (name: string, text: string, className?: string): string =>
  `<${name}${className ? ` class="${className}"` : ''}>${escapeHtml(text)}</${name}>`
