import type { Unit } from '../src/protocol/client/client-data.ts'
import type { ArchivedUnit } from '../src/folding/unit/history.ts'
import type { UnitRow } from '../src/folding/unit/unit-rows.ts'
import { unitRow } from '../src/folding/unit/unit-rows.ts'

/** Rows of work units as screens and statistics have them. */
export const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
export const GPU = 'gpu:01:00:00'

export const context = {
  machine: 'Attic',
  now: NOW,
  locale: 'en-US',
  data: {
    info: { os: 'linux', gpus: { [GPU]: { description: 'RTX 4090' } } },
    config: {},
    groups: {},
    units: [],
  },
}

/** A row as a real client reports it, captured from an 8.5.7. */
export const credited: Unit = {
  cpus: 1,
  gpus: [],
  group: '',
  id: '_0CFrRVzVNyOpnqEjnwicLShkoJxPPOn7Pjg_7sVntE',
  number: 22,
  state: 'UPLOAD',
  run_time: 4000,
  wu_progress: 1,
  eta: '0s',
  ppd: 98_765,
  assignment: {
    core: { type: '0xaa' },
    cpus: 1,
    credit: 14_500,
    deadline: 259_200,
    project: 18_422,
    time: '2026-11-20T13:35:09Z',
    timeout: 129_600,
    ws: 'localhost',
  },
  wu: { clone: 1, gen: 1, run: 1 },
  paused: false,
  progress: 0.106,
  end_time: '2026-11-20T13:46:55Z',
  result: 'credited',
}

export function archived(unit: Unit): ArchivedUnit {
  return { key: `attic ${unit.id ?? ''}`, machine: 'attic', unit }
}

export function row(more: Partial<UnitRow> = {}): UnitRow {
  return { ...unitRow(archived(credited), context), ...more }
}
