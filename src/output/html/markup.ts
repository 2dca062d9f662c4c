// Text into HTML.
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const tag = (name: string, text: string, className?: string): string =>
  `<${name}${className ? ` class="${className}"` : ''}>${escapeHtml(text)}</${name}>`
