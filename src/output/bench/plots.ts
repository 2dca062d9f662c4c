// The script of the benchmark page: DATA (configurations with their runs) into three uPlot charts, and a filter.
export const PLOTS = String.raw`
const themed = (name) => getComputedStyle(document.body).getPropertyValue(name).trim()
const COLOURS = ['--t0', '--t1', '--t2', '--t3', '--t4', '--t5', '--bad', '--soft'].map(themed)
const colour = (i) => COLOURS[i % COLOURS.length]
const dash = (i) => [[], [8, 4], [2, 3]][Math.floor(i / COLOURS.length) % 3]
const ink = themed('--ink')
const grid = themed('--edge')
/** Half a task is none. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]
const axis = (label) => ({ label, stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid }, ...(label === 'tasks' && { incrs: WHOLE }) })
const seconds = (run) => Math.max(run.wallMs / 1000, 0.01)
const decidedTimes = DATA.map(({ runs }) => runs.filter((r) => r.status === 'correct').map(seconds).sort((a, b) => a - b))
const slowest = Math.max(1, ...DATA.flatMap(({ runs }) => runs.map(seconds)))
const width = (id) => document.getElementById(id).clientWidth
const chart = (id, data, series, x, y, more = {}) => {
  const place = document.getElementById(id)
  const plot = new uPlot({ width: width(id), height: 340, scales: { x: { time: false, ...x.scale }, y: y.scale },
    axes: [axis(x.label), { ...axis(y.label), size: 60 }], series: [{ label: x.label }, ...series], ...more }, data, place)
  addEventListener('resize', () => plot.setSize({ width: width(id), height: 340 }))
  return plot
}
const LOG = { distr: 3 }

const most = Math.max(0, ...decidedTimes.map((times) => times.length))
chart('quantile', [Array.from({ length: most }, (_, i) => i + 1), ...decidedTimes.map((times) => Array.from({ length: most }, (_, i) => times[i] ?? null))],
  DATA.map(({ name }, i) => ({ label: name || 'all', stroke: colour(i), dash: dash(i), width: 2, points: { show: most < 40 } })),
  { label: 'tasks' }, { label: 'seconds', scale: LOG })

const moments = [...new Set([0.01, slowest, ...decidedTimes.flat()])].sort((a, b) => a - b)
const within = (times) => { let n = 0; return moments.map((t) => { while (n < times.length && times[n] <= t) n++; return n }) }
chart('cactus', [moments, ...decidedTimes.map(within)],
  DATA.map(({ name }, i) => ({ label: name || 'all', stroke: colour(i), dash: dash(i), width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } })),
  { label: 'seconds', scale: LOG }, { label: 'tasks' })

const across = document.getElementById('across'), up = document.getElementById('up')
for (const select of [across, up]) DATA.forEach(({ name }, i) => select.add(new Option(name || 'all', String(i))))
up.value = String(Math.min(1, DATA.length - 1))
const timeOf = (run) => (run.status === 'correct' ? seconds(run) : slowest)
let scattered
const scatter = () => {
  const other = new Map(DATA[up.value].runs.map((run) => [run.task, run]))
  const pairs = DATA[across.value].runs.filter((run) => other.has(run.task)).map((run) => ({ task: run.task, x: timeOf(run), y: timeOf(other.get(run.task)) })).sort((a, b) => a.x - b.x)
  const ends = [0.05, slowest]
  // A diagonal needs points of its own, so that the two series are joined on x.
  const data = uPlot.join([[pairs.map((p) => p.x), pairs.map((p) => p.y)].every((v) => v.length) ? distinct(pairs) : [[], []], [ends, ends]])
  scattered?.destroy()
  scattered = chart('scatter', data,
    [{ label: DATA[up.value].name || 'all', stroke: colour(0), paths: () => null, points: { show: true, size: 7, fill: colour(0) } },
     { label: 'equal', stroke: grid, width: 1, spanGaps: true, points: { show: false } }],
    { label: (DATA[across.value].name || 'all') + ', seconds', scale: LOG }, { label: 'seconds', scale: LOG },
    { hooks: { setCursor: [(u) => {
      const at = u.cursor.idx == null ? undefined : u.data[0][u.cursor.idx]
      const named = pairs.filter((p) => Math.abs(p.x - at) < 1e-6 * at).map((p) => p.task + ': ' + p.x.toFixed(2) + ' s across, ' + p.y.toFixed(2) + ' s up')
      if (named.length) document.getElementById('pointed').textContent = named.join('; ')
    }] } })
}
/** Every x once: equal times are told apart by less than can be seen. */
const distinct = (pairs) => { let last = 0; const xs = []; for (const p of pairs) { last = Math.max(p.x, last * (1 + 1e-9) + 1e-9); xs.push(last); p.x = last } return [xs, pairs.map((p) => p.y)] }
across.addEventListener('change', scatter)
up.addEventListener('change', scatter)
if (DATA.length > 0) scatter()

document.getElementById('filter').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const row of [...document.querySelectorAll('#runs tr')].slice(1))
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word))
})
`
