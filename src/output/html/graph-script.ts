// What moves in the graph: subtrees open and close, a node tells its label, arrow keys walk. Positions are a tidy tree:
// leaves side by side, parents above the middle of their children. A graph that is too large to read opens at its top.
export const GRAPH_SCRIPT = `
(() => {
  const { nodes, formulas, edges } = JSON.parse(document.getElementById('graph-data').textContent)
  const edgeOf = new Map(edges.map((edge) => [edge.id, edge]))
  const byId = new Map(nodes.map((node) => [node.id, { ...node, children: [], closed: false }]))
  const roots = []
  for (const node of byId.values()) {
    const parent = node.parent === undefined ? undefined : byId.get(node.parent)
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  const below = (node) => {
    let count = 0
    const stack = [...node.children]
    while (stack.length > 0) {
      count++
      stack.push(...stack.pop().children)
    }
    return count
  }
  const WIDTH = 46, HEIGHT = 62, AT_FIRST = 120
  /* Level by level, until the picture would be too full. */
  const openTo = (depth) => {
    let level = roots, shown = roots.length
    for (const node of byId.values()) node.closed = true
    for (let d = 0; d < depth && level.length > 0; d++) {
      const next = level.flatMap((node) => node.children)
      for (const node of level) node.closed = false
      shown += next.length
      level = next
    }
    for (const node of byId.values()) if (node.children.length === 0) node.closed = false
    return shown
  }
  let depth = 1
  while (openTo(depth + 1) <= AT_FIRST && depth < 400) depth++
  openTo(depth)
  const style = getComputedStyle(document.documentElement)
  const colour = (name) => style.getPropertyValue(name).trim()
  const cy = cytoscape({
    container: document.getElementById('graph'),
    style: [
      { selector: 'node', style: { width: 30, height: 30, label: 'data(name)', 'font-size': 10, color: colour('--ink'), 'text-valign': 'center', 'text-halign': 'center', 'background-color': colour('--card'), 'border-width': 2, 'border-color': 'data(colour)' } },
      { selector: 'node[covered]', style: { 'border-style': 'dashed' } },
      { selector: 'node[closed]', style: { shape: 'round-rectangle', width: 40, 'background-color': colour('--edge') } },
      { selector: 'node:selected', style: { 'background-color': colour('--now'), 'border-width': 4 } },
      { selector: 'edge', style: { width: 1.4, 'line-color': colour('--note'), 'target-arrow-color': colour('--note'), 'target-arrow-shape': 'triangle', 'arrow-scale': 0.7, 'curve-style': 'bezier' } },
      { selector: 'edge[cover]', style: { 'line-style': 'dashed', 'line-color': colour('--good'), 'target-arrow-color': colour('--good'), 'curve-style': 'unbundled-bezier', 'control-point-distances': 30 } },
    ],
    layout: { name: 'preset' },
    minZoom: 0.05,
    maxZoom: 3,
  })
  const visible = () => {
    const placed = []
    let column = 0
    const place = (node, row) => {
      const item = { node, x: 0, y: row * HEIGHT }
      placed.push(item)
      const children = node.closed ? [] : node.children
      if (children.length === 0) item.x = column++ * WIDTH
      else {
        const xs = children.map((child) => place(child, row + 1))
        item.x = (xs[0] + xs[xs.length - 1]) / 2
      }
      return item.x
    }
    for (const root of roots) place(root, 0)
    return placed
  }
  /* The whole graph if its labels can still be read; otherwise its top. */
  const LEAST_ZOOM = 0.55
  const showAll = () => {
    cy.fit(undefined, 20)
    if (cy.zoom() >= LEAST_ZOOM) return
    cy.zoom(LEAST_ZOOM)
    const root = cy.getElementById(String(roots[0].id)).position()
    cy.pan({ x: cy.width() / 2 - root.x * LEAST_ZOOM, y: 30 - root.y * LEAST_ZOOM })
  }
  const draw = (fit) => {
    const selected = cy.$('node:selected').id()
    const placed = visible()
    const ids = new Set(placed.map(({ node }) => node.id))
    cy.batch(() => {
      cy.elements().remove()
      cy.add(placed.map(({ node, x, y }) => ({
        group: 'nodes',
        data: {
          id: String(node.id), name: node.closed ? '+' + below(node) : String(node.id), colour: colour('--t' + ((node.thread ?? 0) % 6)),
          ...(node.coveredBy !== undefined && { covered: true }), ...(node.closed && { closed: true }),
        },
        position: { x, y },
      })))
      for (const { node } of placed) {
        if (node.parent !== undefined) cy.add({ group: 'edges', data: { source: String(node.parent), target: String(node.id) } })
        if (node.coveredBy !== undefined && ids.has(node.coveredBy))
          cy.add({ group: 'edges', data: { source: String(node.id), target: String(node.coveredBy), cover: true } })
      }
    })
    if (selected) cy.getElementById(selected).select()
    if (fit) showAll()
    document.getElementById('graph-shown').textContent = placed.length + ' of ' + nodes.length + ' shown'
  }
  const reveal = (element) => {
    const at = element.renderedPosition()
    if (at.x < 20 || at.y < 20 || at.x > cy.width() - 20 || at.y > cy.height() - 20) cy.center(element)
  }
  const nameOf = (thread) => (thread === 0 ? 'main' : 'T' + thread)
  const details = document.getElementById('graph-node')
  const line = (kind, text) => {
    const element = document.createElement(kind)
    element.textContent = text
    return element
  }
  const show = (id) => {
    const node = byId.get(id)
    cy.$(':selected').unselect()
    cy.getElementById(String(id)).select()
    const edge = edgeOf.get(node.edge)
    const parts = [line('strong', 'State ' + id)]
    if (edge) parts.push(line('span', ' after ' + nameOf(node.thread) + ' executed line ' + edge.line + ': '), line('code', edge.text))
    if (node.coveredBy !== undefined) parts.push(line('p', 'covered by state ' + node.coveredBy))
    else if (node.threads) parts.push(line('p', node.threads.length === 0 ? 'no thread can go on' : 'explored from here: ' + node.threads.map(nameOf).join(', ')))
    const list = document.createElement('ul')
    for (const i of node.label) for (const conjunct of formulas[i]) list.append(line('li', conjunct))
    if (list.children.length === 0) list.append(line('li', 'true'))
    parts.push(list)
    details.replaceChildren(...parts)
    for (const old of document.querySelectorAll('.code .now')) old.classList.remove('now')
    if (edge)
      for (const code of document.querySelectorAll('.code'))
        if (code.dataset.file === edge.file) code.querySelector('[data-line="' + edge.line + '"]')?.classList.add('now')
  }
  const toggle = (id) => {
    const node = byId.get(id)
    if (node.children.length === 0) return
    node.closed = !node.closed
    for (const child of node.children) if (child.children.length > 0) child.closed = true
    draw(false)
    show(id)
  }
  cy.on('tap', 'node', (event) => {
    const id = Number(event.target.id())
    if (cy.$('node:selected').id() === event.target.id() || byId.get(id).closed) toggle(id)
    show(id)
  })
  document.getElementById('graph').addEventListener('keydown', (event) => {
    const id = cy.$('node:selected').id()
    const node = id === undefined ? roots[0] : byId.get(Number(id))
    const siblings = node.parent === undefined ? roots : byId.get(node.parent).children
    const at = siblings.indexOf(node)
    const targets = { ArrowUp: byId.get(node.parent), ArrowDown: node.closed ? undefined : node.children[0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }
    if (event.key === 'Enter' || event.key === ' ') toggle(node.id)
    else if (event.key in targets) {
      const target = id === undefined ? roots[0] : targets[event.key]
      if (target) {
        show(target.id)
        reveal(cy.getElementById(String(target.id)))
      }
    } else return
    event.preventDefault()
    event.stopPropagation()
  })
  const actions = { fit: () => cy.fit(undefined, 20), more: () => { openTo(++depth); draw(true) }, less: () => { depth = Math.max(0, depth - 1); openTo(depth); draw(true) } }
  for (const button of document.querySelectorAll('[data-graph]')) button.addEventListener('click', () => actions[button.dataset.graph]())
  draw(true)
  show(roots[0].id)
})()
`
