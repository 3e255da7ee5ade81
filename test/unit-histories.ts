import { formatIso } from '../src/folding/text/times.ts'

const DAY = 86_400_000

type UnitSpec = {
  readonly project: number
  readonly core: string
  readonly daysAgo: number
  readonly ppd: number
  readonly isFailed?: boolean
}

function unit({ project, core, daysAgo, ppd, isFailed = false }: UnitSpec, now: number) {
  return {
    machine: 'attic',
    id: `unit-of-${project}`,
    number: project,
    state: isFailed ? 'CORE' : 'UPLOAD',
    result: isFailed ? 'failed' : 'credited',
    wu_progress: isFailed ? 0.4 : 1,
    cpus: 4,
    gpus: [],
    ppd,
    run_time: 4000,
    assignment: { project, core: { type: core }, time: formatIso(now - daysAgo * DAY), credit: 1000 },
    end_time: formatIso(now - daysAgo * DAY + 4_000_000),
  }
}

/** Four units as a file. Newest assignment first: 1001, 1003, 1004, 1002. */
export function fourUnits(now: number): string {
  return JSON.stringify({
    format: 'foldboard work units',
    version: 1,
    machines: [{ id: 'attic', name: 'Attic', info: { os: 'linux' } }],
    units: [
      unit({ project: 1001, core: '0xa9', daysAgo: 0.1, ppd: 300 }, now),
      unit({ project: 1002, core: '0x26', daysAgo: 10, ppd: 900 }, now),
      unit({ project: 1003, core: '0x26', daysAgo: 0.2, ppd: 100, isFailed: true }, now),
      unit({ project: 1004, core: '0xa9', daysAgo: 3, ppd: 500 }, now),
    ],
  })
}
