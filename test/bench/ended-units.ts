/** Units that ended, as a client with a long memory tells of them (`wus`, docs/protocol.md §7). */

const HARDWARE = [
  { cpus: 15, gpus: [] },
  { cpus: 1, gpus: ['gpu:01:00:00'] },
  { cpus: 1, gpus: ['gpu:02:00:00'] },
  { cpus: 4, gpus: [] },
]

const DESCRIPTIONS = { 'gpu:01:00:00': 'AD102 [GeForce RTX 4090]', 'gpu:02:00:00': 'GA106 [GeForce RTX 3060]' }

export const GPUS = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([id, description]) => [
    id,
    { vendor: 4318, device: 1, type: 'nvidia', supported: true, description, uuid: id },
  ]),
)

/** The unit that ended as the `index`th before last; `now` in epoch milliseconds. */
export function endedUnit(index: number, now: number) {
  const { cpus, gpus } = HARDWARE[index % HARDWARE.length] ?? { cpus: 1, gpus: [] }
  const project = 18_400 + ((index * 7) % 23)
  const run = 3000 + ((index * 7919) % 9000)
  const end = now - index * 3_600_000
  const isFailed = index % 37 === 5
  const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    id: `unit-${String(index).padStart(5, '0')}-${'x'.repeat(31)}`,
    group: '',
    number: 10_000 - index,
    state: isFailed ? 'CORE' : 'UPLOAD',
    cpus,
    gpus,
    progress: 0,
    wu_progress: isFailed ? 0.42 : 1,
    eta: '0s',
    ppd: 100_000 + ((index * 104_729) % 5_000_000),
    run_time: run,
    paused: false,
    frames: 0,
    assignment: {
      project,
      credit: 14_500,
      deadline: 259_200,
      timeout: 129_600,
      time: iso(end - run * 1000),
      ws: '158.130.118.26',
      port: 8080,
      cpus,
      core: { type: gpus.length > 0 ? '0x26' : '0xa9', url: 'https://cores.example/core', sha256: 'f'.repeat(64) },
    },
    wu: { run: index % 100, clone: index % 17, gen: index % 300, cs: [], server: 1, time: iso(end - run * 1000) },
    end_time: iso(end),
    result: isFailed ? 'failed' : 'credited',
  }
}

export function endedUnits(count: number, now: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => endedUnit(index, now))
}
