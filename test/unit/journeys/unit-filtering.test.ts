import 'fake-indexeddb/auto'
import { expect } from 'vitest'
import { unitFilteringModel } from '../../../models/unit-filtering.model.ts'
import { viewRows } from '../../../src/folding/unit/unit-rows.ts'
import { isHistoryLoading, selectRows } from '../../../src/machines/units/history/history.selectors.ts'
import { sortOf, withSort } from '../../../src/ui/screens/machines/view-params.ts'
import {
  daysText,
  filterOf,
  isBadDays,
  withComplete,
  withDays,
  withField,
  withoutFilter,
} from '../../../src/ui/screens/work-units/units-params.ts'
import { fourUnits } from '../../unit-histories.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('unit filtering [2.29]', unitFilteringModel, async app => {
  const history = () => app.system().history
  const ready = async (): Promise<void> => {
    history().send({ type: 'history.open' })
    await app.until(history(), snapshot => !isHistoryLoading(snapshot))
  }
  await ready()
  history().send({ type: 'history.import', file: new Blob([fourUnits(Date.now())]) })
  await app.until(history(), snapshot => selectRows(snapshot).length === 4)
  let params = new URLSearchParams()
  const change = (next: (now: URLSearchParams) => URLSearchParams) => (): void => {
    params = next(params)
  }
  const shows =
    (...projects: readonly number[]) =>
    (): void => {
      const rows = viewRows(
        selectRows(history().getSnapshot()),
        { filter: filterOf(params), sort: sortOf(params) },
        Date.now(),
      )
      expect(rows.map(({ project }) => project)).toEqual(projects)
    }
  const showsAll = shows(1001, 1003, 1004, 1002)
  return {
    does: {
      'choose a core': change(now => withField(now, 'core', '0x26')),
      'only completed ones': change(now => withComplete(now, true)),
      'choose failed ones': change(now => withField(now, 'state', 'Failed')),
      'reset the filter': change(withoutFilter),
      'type days that are none': change(now => withDays(now, 'soon')),
      'within a day': change(now => withDays(now, '1')),
      'sort by points': change(now => withSort(now, { column: 'ppd', isDescending: true })),
      reload: async () => {
        params = new URLSearchParams(params.toString())
        app.reload()
        await ready()
      },
    },
    sees: {
      everything: showsAll,
      ofCore: shows(1003, 1002),
      completedOfCore: shows(1002),
      stillCompletedOfCore: shows(1002),
      nothing: shows(),
      lifted: showsAll,
      badDays: () => {
        expect(isBadDays(daysText(params))).toBe(true)
        showsAll()
      },
      recent: shows(1001, 1003),
      sorted: shows(1002, 1004, 1001, 1003),
      stillSorted: shows(1002, 1004, 1001, 1003),
    },
  }
})
