import { expect } from 'vitest'
import { findingMachinesModel } from '../../../models/finding-machines.model.ts'
import { compileQuery } from '../../../src/folding/fleet/query.ts'
import { searchOf, viewParamsOf } from '../../../src/folding/fleet/saved-views.ts'
import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import { selectReport, selectShownIds } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  selectFirstView,
  selectLastSearch,
  selectViews,
  selectViewWith,
} from '../../../src/machines/fleet/views/views.selectors.ts'
import { fleetFactsOf } from '../../../src/ui/hooks/use-fleet-facts.ts'
import { walkBesideClient } from './journeys.ts'

const HOLDS = 'state:folding'

walkBesideClient('finding machines', findingMachinesModel, async app => {
  const ready = async (): Promise<void> => {
    await app.until(app.system().fleet, snapshot => (selectReport(DIRECT_ID)(snapshot)?.summary.running ?? 0) > 0)
  }
  await ready()
  const views = () => app.system().views
  let search = ''
  // What the machines screen does when its address changes.
  const show = (next: string) => (): void => {
    search = next
    views().send({ type: 'views.shown', params: viewParamsOf(next) })
  }
  const find = (filter: string): (() => void) => show(searchOf({ filter }))
  const query = (): string => new URLSearchParams(search).get('filter') ?? ''
  const found = (): number => {
    const { fleet } = app.system()
    const facts = fleetFactsOf(app.system()).read(selectShownIds('usual')(fleet.getSnapshot()))
    return facts.filter(one => compileQuery(query()).matches(one, Date.now())).length
  }
  const sees =
    (filter: string, count: number, names: readonly string[] = []) =>
    (): void => {
      expect([query(), found(), selectViews(views().getSnapshot()).views.map(({ name }) => name)]).toEqual([
        filter,
        count,
        names,
      ])
    }
  return {
    does: {
      'search for what holds': find(HOLDS),
      'search for what does not hold': find('state:disconnected'),
      'search for what is not understood': find('colour:red'),
      'show all machines': show(''),
      'leave and come back': () => show(selectLastSearch(views().getSnapshot()))(),
      'save it as a view': () =>
        views().send({
          type: 'views.save',
          name: 'Mine',
          params: viewParamsOf(selectLastSearch(views().getSnapshot())),
        }),
      'choose the view': () => show(searchOf(selectViews(views().getSnapshot()).views[0]?.params ?? {}))(),
      'make it the first': () => views().send({ type: 'views.choose', name: 'Mine' }),
      'open the page again': async () => {
        app.reload()
        await ready()
        show(searchOf(selectFirstView(views().getSnapshot()) ?? {}))()
      },
    },
    sees: {
      everything: sees('', 1),
      found: sees(HOLDS, 1),
      stillFound: sees(HOLDS, 1),
      nothing: sees('state:disconnected', 0),
      refused: () => {
        sees('colour:red', 0)()
        expect(compileQuery(query()).faults.map(({ kind }) => kind)).toEqual(['unknownKey'])
      },
      lifted: sees('', 1),
      saved: () => {
        sees(HOLDS, 1, ['Mine'])()
        expect(selectViewWith(viewParamsOf(search))(views().getSnapshot())).toBe('Mine')
      },
      left: sees('', 1, ['Mine']),
      shown: sees(HOLDS, 1, ['Mine']),
      first: () => expect(selectViews(views().getSnapshot()).chosen).toBe('Mine'),
      begun: sees(HOLDS, 1, ['Mine']),
    },
  }
})
