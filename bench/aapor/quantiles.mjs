// Quantile plots as in Figures 5.5 and 5.6 of aapor.txt: for each configuration the n-th smallest value over n, on a
// logarithmic scale, as an SVG picture.

const COLOURS = ['#1b6ca8', '#c0392b', '#27834a', '#8e44ad', '#b9770e', '#16807a', '#7f4f24', '#5d6d7e']
const DASHES = ['', '6 3', '2 2']
const [WIDTH, HEIGHT, LEFT, BOTTOM, LEGEND] = [640, 360, 70, 40, 300]

export const quantilePlot = (title, series) => {
  const most = Math.max(1, ...series.map(({ values }) => values.length))
  const all = series.flatMap(({ values }) => values).filter((value) => value > 0)
  const low = Math.floor(Math.log10(Math.min(1, ...all)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...all))))
  const x = (n) => LEFT + (n / most) * (WIDTH - LEFT - 10)
  const y = (value) =>
    HEIGHT - BOTTOM - ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (HEIGHT - BOTTOM - 10)
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))
  const curve = ({ values }, i) => {
    const points = [...values].sort((a, b) => a - b).map((value, n) => `${x(n + 1).toFixed(1)},${y(value).toFixed(1)}`)
    return `<polyline fill="none" stroke="${COLOURS[i % 8]}" stroke-dasharray="${DASHES[Math.floor(i / 8) % 3]}" points="${points.join(' ')}"/>`
  }
  const legend = ({ name, values }, i) =>
    `<text x="${WIDTH + 30}" y="${20 + 14 * i}" fill="${COLOURS[i % 8]}">${name} (${values.length})</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + LEGEND} ${HEIGHT}" font-family="sans-serif" font-size="10">`,
    ...ticks.map((v) => `<text x="8" y="${y(v) + 3}">${v}</text><path stroke="#ddd" d="M${LEFT} ${y(v)}H${WIDTH}"/>`),
    `<text x="${LEFT}" y="${HEIGHT - 8}">tasks decided, 1 to ${most}; ${title}</text>`,
    ...series.map(curve),
    ...series.map(legend),
    '</svg>\n',
  ].join('\n')
}
