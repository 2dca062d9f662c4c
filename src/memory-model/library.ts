// What every model finds defined, and the files that published models include. `co` and `rf` are base relations here
// (an exploration chooses them), so that the files which generate them elsewhere have nothing to say.

export const PRELUDE = `
let po-loc = po & loc
let rfe = rf & ext
let rfi = rf & int
let coe = co & ext
let coi = co & int
let fr = rf^-1 ; co
let fre = fr & ext
let fri = fr & int
let fencerel(S) = po ; [S] ; po
let ctrlcfence(S) = (ctrl & (_ * S)) ; po
let noid(r) = r \\ id
`

const FILTERS = `
let RR(r) = r & (R * R)
let RW(r) = r & (R * W)
let WR(r) = r & (W * R)
let WW(r) = r & (W * W)
let RM(r) = r & (R * M)
let MR(r) = r & (M * R)
let WM(r) = r & (W * M)
let MW(r) = r & (M * W)
let MM(r) = r & (M * M)
`

export const INCLUDES: ReadonlyMap<string, string> = new Map([
  ['cos.cat', ''],
  ['cos-opt.cat', ''],
  ['cross.cat', ''],
  ['basic.cat', ''],
  ['stdlib.cat', FILTERS],
  ['filters.cat', FILTERS],
  ['lock.cat', ''],
  ['x86fences.cat', 'let mfence = fencerel(MFENCE) let sfence = fencerel(SFENCE) let lfence = fencerel(LFENCE)'],
  [
    'ppcfences.cat',
    `let sync = fencerel(SYNC) let lwsync = fencerel(LWSYNC) let eieio = fencerel(EIEIO)
     let isync = fencerel(ISYNC) let ctrlisync = ctrlcfence(ISYNC)`,
  ],
  ['aarch64fences.cat', 'let isb = fencerel(ISB)'],
  ['riscvfences.cat', ''],
])
