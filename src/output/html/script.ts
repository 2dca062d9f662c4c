// What moves in the page: the highlighted step, its line, the values after it, and the links between threads.
export const SCRIPT = String.raw`
(() => {
  const { steps, links, names, ends } = JSON.parse(document.getElementById('steps').textContent)
  const boxes = [...document.querySelectorAll('.step')]
  const chart = document.getElementById('chart')
  const frame = document.querySelector('.interleaving')
  const body = document.querySelector('.chart-frame .body')
  const arrows = document.querySelector('.arrows')
  const ending = document.querySelector('.ending')
  const values = document.getElementById('values')
  const position = document.getElementById('position')
  const find = document.getElementById('find')
  let current = 0

  const codeOf = (file) => [...document.querySelectorAll('.code')].find((list) => list.dataset.file === file)
  const lineOf = ({ file, line }) => codeOf(file)?.querySelector('[data-line="' + line + '"]')
  const opened = (element) => {
    const row = element.closest('.row')
    if (!row.hidden) return
    for (const other of document.querySelectorAll('[data-fold="' + row.dataset.fold + '"]')) other.hidden = false
    document.querySelector('[data-opens="' + row.dataset.fold + '"]').hidden = true
    draw()
  }

  /* What is known after a step: variables by what was assigned last, locks by who took them last. */
  const knownAt = (last) => {
    const known = new Map()
    for (let i = 0; i <= last; i++) {
      const { changed, event, thread } = steps[i]
      for (const { name, value } of changed) known.set(name, { value, at: i })
      if (event?.kind === 'take' && event.lock) known.set(event.object, { value: 'held by ' + names[thread], at: i })
      if (event?.kind === 'release' && known.has(event.object)) known.set(event.object, { value: 'free', at: i })
    }
    return known
  }
  const showValues = () => {
    const known = knownAt(current)
    const cell = (kind, content) => {
      const element = document.createElement(kind)
      element.append(content)
      return element
    }
    values.replaceChildren(...[...known].map(([name, { value, at }]) => {
      const row = document.createElement('tr')
      if (at === current) row.className = 'new'
      const by = document.createElement('button')
      by.type = 'button'
      by.tabIndex = -1
      by.title = 'go to the step that set it'
      by.textContent = 'step ' + (at + 1)
      by.addEventListener('click', () => go(at))
      const label = cell('th', name)
      label.scope = 'row'
      row.append(label, cell('td', value), cell('td', by))
      return row
    }))
    if (known.size === 0) {
      const row = document.createElement('tr')
      row.append(cell('td', 'nothing has been assigned yet'))
      values.append(row)
    }
  }
  const markSource = () => {
    for (const line of document.querySelectorAll('.code .now, .code .ends')) line.classList.remove('now', 'ends')
    if (current === steps.length - 1) for (const end of ends) lineOf(end)?.classList.add('ends')
    const line = lineOf(steps[current])
    if (!line) return
    line.classList.add('now')
    line.scrollIntoView({ block: 'nearest' })
  }
  const go = (to, quietly) => {
    boxes[current]?.classList.remove('now')
    boxes[current]?.setAttribute('aria-selected', 'false')
    current = Math.max(0, Math.min(steps.length - 1, to))
    const box = boxes[current]
    opened(box)
    box.classList.add('now')
    box.setAttribute('aria-selected', 'true')
    chart.setAttribute('aria-activedescendant', box.id)
    position.textContent = 'step ' + (current + 1) + ' of ' + steps.length
    markSource()
    showValues()
    if (ending && current === steps.length - 1) ending.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    box.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (!quietly) remember('#step=' + (current + 1))
  }

  /* Inside another page the address is not ours to change. */
  const remember = (fragment) => {
    try { history.replaceState(null, '', fragment) } catch {}
  }

  /* Where to go by key: a step, a context switch, a step of the same thread. */
  const next = (from, by, accepts) => {
    for (let i = from + by; i >= 0 && i < steps.length; i += by) if (accepts(i)) return i
    return from
  }
  const isSwitch = (i) => i === 0 || steps[i - 1].thread !== steps[i].thread
  const sameThread = (i) => steps[i].thread === steps[current].thread
  const MOVES = {
    on: () => current + 1, back: () => current - 1, first: () => 0, last: () => steps.length - 1,
    'switch-on': () => next(current, 1, isSwitch), 'switch-back': () => next(current, -1, isSwitch),
    'thread-on': () => next(current, 1, sameThread), 'thread-back': () => next(current, -1, sameThread),
  }
  const KEYS = {
    ArrowRight: 'on', ArrowDown: 'on', ArrowLeft: 'back', ArrowUp: 'back', Home: 'first', End: 'last',
    PageDown: 'switch-on', PageUp: 'switch-back', ']': 'switch-on', '[': 'switch-back', j: 'thread-on', k: 'thread-back',
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target === find) {
      if (event.key === 'Enter') search(event.shiftKey ? -1 : 1)
      if (event.key === 'Escape') chart.focus({ preventScroll: true })
      return
    }
    if (event.target.matches('.source, input, select, summary')) return
    if (event.key === '/') {
      event.preventDefault()
      find.focus()
      return
    }
    if (!(event.key in KEYS)) return
    event.preventDefault()
    go(MOVES[KEYS[event.key]]())
  })
  const search = (by) => {
    const wanted = find.value.trim().toLowerCase()
    if (!wanted) return
    const has = (i) => boxes[i].textContent.toLowerCase().includes(wanted)
    const found = next(current, by, has)
    find.classList.toggle('nothing', found === current && !has(current))
    go(found)
  }
  for (const button of document.querySelectorAll('[data-go]'))
    button.addEventListener('click', () => go(MOVES[button.dataset.go]()))
  chart.addEventListener('click', ({ target }) => {
    const step = target.closest('.step')
    if (step) go(Number(step.dataset.step))
    const fold = target.closest('.fold')
    if (fold) opened(document.querySelector('[data-fold="' + fold.dataset.opens + '"]'))
  })

  /* Links are drawn for what is in sight: a long execution costs no more than a short one. */
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }
  const shownKinds = () => new Set([...document.querySelectorAll('[data-links]')].filter((box) => box.checked).map((box) => box.dataset.links))
  const middle = (box) => ({ x: box.offsetLeft + box.offsetWidth / 2, top: box.parentElement.offsetTop + box.offsetTop, bottom: box.parentElement.offsetTop + box.offsetTop + box.offsetHeight })
  const curve = (a, b, kind) => {
    const far = b.top - a.bottom
    const bend = Math.max(6, Math.min(60, far / 2))
    arrows.append(
      svg('path', { d: 'M' + a.x + ',' + a.bottom + ' C' + a.x + ',' + (a.bottom + bend) + ' ' + b.x + ',' + (b.top - bend) + ' ' + b.x + ',' + (b.top - 3), class: kind }),
      svg('path', { d: 'M' + (b.x - 4) + ',' + (b.top - 6) + ' L' + b.x + ',' + b.top + ' L' + (b.x + 4) + ',' + (b.top - 6) + ' Z', class: 'tip ' + kind + '-tip' }),
    )
  }
  const SHIFT = { switch: 0, thread: -14, lock: 14, value: 26 }
  const draw = () => {
    const kinds = shownKinds()
    const top = frame.scrollTop - 600, bottom = frame.scrollTop + frame.clientHeight + 600
    arrows.setAttribute('width', body.scrollWidth)
    arrows.setAttribute('height', body.scrollHeight)
    arrows.replaceChildren()
    for (const { kind, from, to } of links) {
      const [a, b] = [boxes[from], boxes[to]]
      if (!kinds.has(kind) || a.closest('.row').hidden || b.closest('.row').hidden) continue
      const [start, end] = [middle(a), middle(b)]
      if (end.top < top || start.bottom > bottom) continue
      curve({ ...start, x: start.x + SHIFT[kind] }, { ...end, x: end.x + SHIFT[kind] }, kind)
    }
    drawEnding()
  }
  /* A race is one line between two boxes; who waits points to whom they wait for. */
  const drawEnding = () => {
    if (!ending) return
    const origin = body.getBoundingClientRect()
    const boxOf = (thread) => ending.querySelector('.end[data-thread="' + thread + '"]')?.getBoundingClientRect()
    const line = (a, b, kind) => {
      const [left, right] = a.left < b.left ? [a, b] : [b, a]
      const y = (box) => box.top + box.height / 2 - origin.top
      arrows.append(svg('path', { d: 'M' + (left.right - origin.left) + ',' + y(left) + ' L' + (right.left - origin.left) + ',' + y(right), class: kind }))
    }
    if (ending.classList.contains('race') && ends.length === 2) {
      const [a, b] = ends.map(({ thread }) => boxOf(thread))
      if (a && b) line(a, b, 'conflict')
    }
    ends.filter(({ on }) => on !== undefined).forEach(({ thread, on }, i) => {
      const [a, b] = [boxOf(thread), boxOf(on)]
      if (!a || !b) return
      const [x1, x2] = [a.left + a.width / 2 - origin.left, b.left + b.width / 2 - origin.left]
      const [y1, y2] = [a.bottom - origin.top, b.bottom - origin.top]
      const low = Math.max(y1, y2) + 16 + 7 * (i % 5)
      arrows.append(
        svg('path', { d: 'M' + x1 + ',' + y1 + ' C' + x1 + ',' + low + ' ' + x2 + ',' + low + ' ' + (x2 + 6) + ',' + (y2 + 5), class: 'waits' }),
        svg('path', { d: 'M' + (x2 + 2) + ',' + (y2 + 6) + ' L' + (x2 + 6) + ',' + y2 + ' L' + (x2 + 10) + ',' + (y2 + 6) + ' Z', class: 'tip waits-tip' }),
      )
    })
  }
  for (const box of document.querySelectorAll('[data-links]')) box.addEventListener('change', draw)
  let pending = false
  frame.addEventListener('scroll', () => {
    if (pending) return
    pending = true
    requestAnimationFrame(() => { pending = false; draw() })
  })
  const fromAddress = () => Number(/^#step=(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1
  addEventListener('hashchange', () => go(fromAddress(), true))
  addEventListener('resize', () => { draw(); if (steps.length > 0) go(current, true) })
  draw()
  if (steps.length > 0) go(fromAddress(), true)
})()
`
