// The names that models may use without defining them: base relations, and the sets that events can be tagged with.
// A name that is neither defined nor listed here is a mistake in the model, not an empty set.

export const RELATIONS: ReadonlySet<string> = new Set([
  ...['po', 'rf', 'co', 'loc', 'int', 'ext', 'id', 'addr', 'data', 'ctrl', 'rmw', 'amo', 'lxsx', 'si'],
  ...['rcu-rscs', 'crit', 'casdep'],
  // AArch64: a read decided which value an address, a value written or a branch depends on (a conditional select).
  ...['pick-addr', 'pick-data', 'pick-ctrl'],
  // Threads of C programs: from a creation to the thread's first event, from its last event to the join.
  ...['start', 'join'],
])

export const SETS: ReadonlySet<string> = new Set([
  ...['_', 'emptyset', 'R', 'W', 'F', 'M', 'IW', 'I', 'RMW'],
  // C11. A is atomic; for AArch64 it is a load-acquire, and for x86 a locked instruction.
  ...['A', 'NA', 'RLX', 'ACQ', 'REL', 'ACQ_REL', 'SC', 'CON'],
  // x86
  ...['MFENCE', 'SFENCE', 'LFENCE'],
  // AArch64: store-release, load-acquire-PC, exclusive, the read of an atomic instruction without a destination
  ...['L', 'Q', 'X', 'ISB', 'NoRet'],
  ...['DMB', 'DSB'].flatMap((f) =>
    ['SY', 'LD', 'ST', 'ISH', 'ISHLD', 'ISHST', 'OSH', 'OSHLD', 'OSHST', 'NSH', 'NSHLD', 'NSHST'].map(
      (o) => `${f}.${o}`,
    ),
  ),
  // Power
  ...['SYNC', 'LWSYNC', 'EIEIO', 'ISYNC'],
  // RISC-V
  ...['AMO', 'Acq', 'Rel', 'AcqRel', 'Sc', 'Fence.i', 'Fence.tso'],
  ...['r', 'w', 'rw'].flatMap((before) => ['r', 'w', 'rw'].map((after) => `Fence.${before}.${after}`)),
  // Linux kernel
  ...['Once', 'Acquire', 'Release', 'Noreturn', 'Mb', 'Rmb', 'Wmb', 'Barrier', 'Before-atomic', 'After-atomic'],
  ...['After-spinlock', 'After-unlock-lock', 'After-srcu-read-unlock', 'Rcu-lock', 'Rcu-unlock', 'Sync-rcu'],
  ...['Srcu-lock', 'Srcu-unlock', 'Sync-srcu', 'LKR', 'LKW', 'UL', 'LF', 'RL', 'RU'],
]) // prettier-ignore
