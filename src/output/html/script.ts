// What moves in the page: the highlighted step, its line, the values after it, and the arrows between threads.
export const SCRIPT = String.raw`
(() => {
  const steps = JSON.parse(document.getElementById('steps').textContent)
  const boxes = [...document.querySelectorAll('.step')]
  const chart = document.querySelector('.chart')
  const arrows = document.querySelector('.arrows')
  const values = document.getElementById('values')
  const position = document.getElementById('position')
  let current = 0

  const lineOf = (step) => {
    for (const list of document.querySelectorAll('.code'))
      if (list.dataset.file === step.file) return list.querySelector('[data-line="' + step.line + '"]')
    return null
  }
  const reveal = (pane, element) => {
    const box = element.getBoundingClientRect(), frame = pane.getBoundingClientRect()
    if (box.top < frame.top + 40 || box.bottom > frame.bottom - 40)
      pane.scrollTop += box.top - frame.top - pane.clientHeight / 2
    if (box.left < frame.left || box.right > frame.right) pane.scrollLeft += box.left - frame.left - 60
  }
  const showValues = () => {
    const known = new Map()
    steps.slice(0, current + 1).forEach((step, i) => {
      for (const { name, value } of step.changed) known.set(name, { value, at: i })
    })
    values.replaceChildren(...[...known].map(([name, { value, at }]) => {
      const row = document.createElement('tr')
      if (at === current) row.className = 'new'
      const cells = [['th', name], ['td', value], ['td', 'step ' + (at + 1)]]
      row.append(...cells.map(([kind, text]) => {
        const cell = document.createElement(kind)
        cell.textContent = text
        return cell
      }))
      return row
    }))
    if (known.size === 0) {
      const row = document.createElement('tr'), cell = document.createElement('td')
      cell.textContent = 'nothing has been assigned yet'
      row.append(cell)
      values.append(row)
    }
  }
  const go = (to, focus) => {
    current = Math.max(0, Math.min(steps.length - 1, to))
    for (const [i, box] of boxes.entries()) {
      box.classList.toggle('now', i === current)
      box.classList.toggle('past', i < current)
      if (i === current) box.setAttribute('aria-current', 'step')
      else box.removeAttribute('aria-current')
    }
    for (const line of document.querySelectorAll('.code .now')) line.classList.remove('now')
    const line = lineOf(steps[current])
    if (line) {
      line.classList.add('now')
      reveal(document.querySelector('.source'), line)
    }
    position.textContent = 'step ' + (current + 1) + ' of ' + steps.length
    showValues()
    if (boxes[current]) {
      reveal(document.querySelector('.interleaving'), boxes[current])
      if (focus) boxes[current].focus({ preventScroll: true })
    }
  }
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }
  /* From the end of one box to the beginning of the next where the thread changes. */
  const draw = () => {
    const frame = chart.getBoundingClientRect()
    arrows.setAttribute('width', frame.width)
    arrows.setAttribute('height', frame.height)
    arrows.replaceChildren()
    boxes.forEach((box, i) => {
      const next = boxes[i + 1]
      if (!next || next.dataset.thread === box.dataset.thread) return
      const a = box.getBoundingClientRect(), b = next.getBoundingClientRect()
      const x1 = a.left + a.width / 2 - frame.left, y1 = a.bottom - frame.top
      const x2 = b.left + b.width / 2 - frame.left, y2 = b.top - frame.top
      const middle = (y1 + y2) / 2
      arrows.append(svg('path', { d: 'M' + x1 + ',' + y1 + ' C' + x1 + ',' + (middle + 6) + ' ' + x2 + ',' + (middle - 6) + ' ' + x2 + ',' + (y2 - 3), class: 'switch' }))
      arrows.append(svg('path', { d: 'M' + (x2 - 4) + ',' + (y2 - 6) + ' L' + x2 + ',' + y2 + ' L' + (x2 + 4) + ',' + (y2 - 6) + ' Z', class: 'tip' }))
    })
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const moves = { ArrowRight: current + 1, ArrowDown: current + 1, ArrowLeft: current - 1, ArrowUp: current - 1, Home: 0, End: steps.length - 1 }
    if (!(event.key in moves)) return
    event.preventDefault()
    go(moves[event.key], true)
  })
  for (const button of document.querySelectorAll('[data-go]'))
    button.addEventListener('click', () => go({ first: 0, back: current - 1, on: current + 1, last: steps.length - 1 }[button.dataset.go], false))
  boxes.forEach((box, i) => box.addEventListener('click', () => go(i, true)))
  addEventListener('resize', draw)
  draw()
  if (steps.length > 0) go(0, false)
})()
`
