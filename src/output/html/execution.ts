// The execution of a memory model in a page: the picture with relations that can be switched, what they mean, and the
// same as text for whoever cannot see it. A click on an event, or the arrow keys, mark its line of the source.
import type { ExecutionView } from '../../memory-model/index.js'
import { executionLines, executionSvg, RELATIONS, relationsOf } from '../execution/index.js'
import { escapeHtml, tag } from './markup.js'

/** More edges than this hide each other: only where values come from is shown at first. */
const MAX_EDGES_AT_FIRST = 16

export const executionPane = (view: ExecutionView): string => {
  const relations = relationsOf(view)
  const isFull = view.edges.length > MAX_EDGES_AT_FIRST
  const switches = relations.map((relation) => {
    const { meaning, colour } = RELATIONS[relation] ?? { meaning: '', colour: 'var(--soft)' }
    const isShown = !isFull || relation === 'po' || relation === 'rf'
    return `<label title="${escapeHtml(meaning)}" style="--line:${colour}"><input type="checkbox" data-relation="${escapeHtml(relation)}"${isShown ? ' checked' : ''}>${escapeHtml(relation)}<span class="meaning">${escapeHtml(meaning)}</span></label>`
  })
  return [
    `<fieldset class="relations"><legend class="unseen">Relations</legend>${switches.join('')}</fieldset>`,
    `<div class="picture">${executionSvg(view)}</div>`,
    violated(view),
    `<details class="as-text"><summary>The same as text</summary><pre tabindex="0">${escapeHtml(executionLines(view).join('\n'))}</pre></details>`,
  ].join('\n')
}

const violated = ({ violation }: ExecutionView): string =>
  violation ? tag('p', `The thick edges violate the axiom ${violation.axiom} of the model.`) : ''

export const EXECUTION_SCRIPT = `
(() => {
  for (const pane of document.querySelectorAll('.execution')) {
    const show = () => {
      for (const box of pane.querySelectorAll('input[data-relation]'))
        for (const edge of pane.querySelectorAll('g[data-relation="' + box.dataset.relation + '"]'))
          edge.style.display = box.checked ? '' : 'none'
    }
    pane.addEventListener('change', show)
    show()
    const nodes = [...pane.querySelectorAll('.node')]
    let current = -1
    const select = (to) => {
      if (to < 0 || to >= nodes.length) return
      nodes[current]?.classList.remove('now')
      current = to
      nodes[current].classList.add('now')
      nodes[current].scrollIntoView({ block: 'nearest', inline: 'nearest' })
      for (const old of document.querySelectorAll('.code .now')) old.classList.remove('now')
      const line = document.querySelector('.code [data-line="' + nodes[current].dataset.line + '"]')
      line?.classList.add('now')
      line?.scrollIntoView({ block: 'nearest' })
    }
    pane.addEventListener('click', ({ target }) => {
      const node = target.closest?.('.node')
      if (node) select(nodes.indexOf(node))
    })
    pane.addEventListener('keydown', (event) => {
      if (event.target !== pane) return
      const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
      if (by === undefined) return
      event.preventDefault()
      select(Math.max(0, current + by))
    })
  }
})()
`
