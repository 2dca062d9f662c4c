// Quantile plots as in Figures 5.5 and 5.6 of aapor.txt: for each series the n-th smallest value over n, on a
// logarithmic scale. A panel for each group of series, all with the same axes, as one SVG picture.

const COLOURS = ['#5d6d7e', '#c0392b', '#1b6ca8']
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [320, 230, 56, 28, 12, 34]
const COLUMNS = 4

const range = (n) => Array.from({ length: n }, (_, i) => i)

/** groups: [{ name, series: [{ name, values }] }] */
export const quantilePlots = (title, groups) => {
  const values = groups.flatMap(({ series }) => series.flatMap((one) => one.values)).filter((value) => value > 0)
  const most = Math.max(1, ...groups.flatMap(({ series }) => series.map((one) => one.values.length)))
  const low = Math.floor(Math.log10(Math.min(1, ...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...values))))
  const x = (n) => LEFT + (n / most) * (WIDTH - LEFT - RIGHT)
  const y = (value) => {
    const height = (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)
    return HEIGHT - BOTTOM - height * (HEIGHT - TOP - BOTTOM)
  }
  const grid = [
    ...range(high - low + 1)
      .map((i) => 10 ** (low + i))
      .map(
        (v) =>
          `<text x="${LEFT - 6}" y="${y(v) + 3}" text-anchor="end">${v}</text>` +
          `<path stroke="#ddd" d="M${LEFT} ${y(v)}H${WIDTH - RIGHT}"/>`,
      ),
    ...range(Math.floor(most / 20) + 1).map(
      (i) => `<text x="${x(20 * i)}" y="${HEIGHT - BOTTOM + 13}" text-anchor="middle">${20 * i}</text>`,
    ),
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">tasks decided</text>`,
  ]
  const curve = ({ values }, i) => {
    const points = [...values].sort((a, b) => a - b).map((value, n) => `${x(n + 1).toFixed(1)},${y(value).toFixed(1)}`)
    return `<polyline fill="none" stroke="${COLOURS[i % COLOURS.length]}" points="${points.join(' ')}"/>`
  }
  const legend = ({ name, values }, i) =>
    `<text x="${LEFT + 8}" y="${TOP + 12 + 13 * i}" fill="${COLOURS[i % COLOURS.length]}">${name}: ${values.length}</text>`
  const panel = ({ name, series }, i) => [
    `<g transform="translate(${WIDTH * (i % COLUMNS)} ${24 + HEIGHT * Math.floor(i / COLUMNS)})">`,
    `<text x="${LEFT}" y="${TOP - 10}" font-weight="bold">${name}</text>`,
    ...grid,
    ...series.map(curve),
    ...series.map(legend),
    '</g>',
  ]
  const size = `${WIDTH * Math.min(COLUMNS, groups.length)} ${24 + HEIGHT * Math.ceil(groups.length / COLUMNS)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" font-family="sans-serif" font-size="10">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="white"/>',
    `<text x="${LEFT}" y="20" font-size="13">${title}</text>`,
    ...groups.flatMap(panel),
    '</svg>\n',
  ].join('\n')
}
