// The live page: a table of programs and properties that follows the events of the server.
export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Heddle</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 .3rem; }
p { margin: 0 0 1rem; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 1.4rem 0 .3rem; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: grid; gap: 0 1rem; grid-template-columns: 7rem 9rem 1fr auto; padding: .35rem .5rem; border-top: 1px solid #8884; }
li[aria-busy=true] { opacity: .65; }
.verdict { font-weight: 600; }
.true { color: light-dark(#0a6b2d, #6fd08c); }
.false { color: light-dark(#b3261e, #ff8a80); }
.unknown, .error { color: light-dark(#7a5200, #f0c060); }
.text { overflow-wrap: anywhere; }
.age { white-space: nowrap; }
@media (max-width: 40rem) { li { grid-template-columns: 6rem 1fr; } .text { grid-column: 1 / -1; } }
</style>
<h1>Heddle watches</h1>
<p id="summary" role="status">Connecting.</p>
<main id="programs"></main>
<script>
const WORDS = { true: '\\u2713 holds', false: '\\u2717 violated', unknown: '? unknown', error: '! not read' }
let rows = []
const element = (tag, text, className) => {
  const made = document.createElement(tag)
  made.textContent = text
  if (className) made.className = className
  return made
}
const ageOf = ({ state, at, seconds, kept }) => {
  if (state !== 'done') return state === 'running' ? 'running' : 'waiting'
  const ago = Math.round((Date.now() - at) / 1000)
  const when = ago < 5 ? 'now' : ago < 90 ? ago + ' s ago' : Math.round(ago / 60) + ' min ago'
  return (kept ? 'kept' : seconds === undefined ? '' : seconds.toFixed(1) + ' s') + ', ' + when
}
const show = () => {
  const of = (verdict) => rows.filter((row) => row.verdict === verdict).length
  const left = rows.filter((row) => row.state !== 'done').length
  document.title = (of('false') ? '\\u2717 ' : left ? '\\u2026 ' : '\\u2713 ') + 'Heddle'
  document.getElementById('summary').textContent =
    of('true') + ' hold, ' + of('false') + ' violated, ' + (of('unknown') + of('error')) + ' not decided' + (left ? ', ' + left + ' to do' : '') + '.'
  const main = document.getElementById('programs')
  main.replaceChildren()
  for (const program of [...new Set(rows.map((row) => row.program))].sort()) {
    const list = element('ul', '')
    for (const row of rows.filter((each) => each.program === program)) {
      const item = element('li', '')
      item.setAttribute('aria-busy', String(row.state !== 'done'))
      const link = row.verdict && row.verdict !== 'error' ? element('a', row.property) : element('span', row.property)
      if (link.tagName === 'A') link.href = '/report?of=' + encodeURIComponent(row.name)
      item.append(element('span', WORDS[row.verdict] || '', 'verdict ' + (row.verdict || '')), link, element('span', row.text, 'text'), element('span', ageOf(row), 'age'))
      list.append(item)
    }
    main.append(element('h2', program), list)
  }
}
const events = new EventSource('/events')
events.onmessage = ({ data }) => { rows = JSON.parse(data); show() }
events.onerror = () => { document.getElementById('summary').textContent = 'Heddle has ended, or cannot be reached.' }
setInterval(show, 5000)
</script>
</html>
`
