import { afterAll, expect } from 'vitest'
import { logModel } from '../../../models/log.model.ts'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { selectLogLines } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  isFiltered,
  isPatternSlow,
  selectSelectedLine,
  selectFoundCount,
  selectLineCount,
  selectPatternFault,
  selectScrollPosition,
  selectShown,
  showsContext,
} from '../../../src/machines/screens/log/log.selectors.ts'
import { ENDLESS } from '../../fakes/search-thread.ts'
import { startLogClient, type LogClient } from '../../log-client.ts'
import { walkInProcess } from './journeys.ts'

const logClients: LogClient[] = []
afterAll(() => logClients.forEach(logClient => logClient.stop()))

walkInProcess('reading a log', logModel, async app => {
  const logClient = await startLogClient()
  await app.until(app.system().app, isPartThere('log'))
  logClients.push(logClient)
  const log = () => app.system().log
  const now = () => log().getSnapshot()
  const client = () => selectClientRef(`@${logClient.address}`)(app.system().fleet.getSnapshot())
  const haveAll = () => app.until(log(), snapshot => selectLineCount(snapshot) === logClient.count())
  const texts = () => client()?.getSnapshot().context.record.log.toArray() ?? []
  const expectNewLine = async (): Promise<void> => {
    logClient.write()
    await haveAll()
    expect(texts().at(-1)).toContain(logClient.newest())
  }
  const expectEachOnce = async (): Promise<void> => {
    await haveAll()
    expect(new Set(texts()).size).toBe(logClient.count())
  }
  const expectFollowing = async (): Promise<void> => {
    await expectNewLine()
    expect([now().hasTag('following'), isFiltered(now())]).toEqual([true, false])
  }
  const expectAtStart = () =>
    expect([selectScrollPosition(now()), now().hasTag('following')]).toEqual([{ number: 0, offset: 0 }, false])
  return {
    does: {
      'open the log': async () => {
        app.system().fleet.send({ type: 'fleet.connect', address: logClient.address })
        const ref = client()
        if (ref === undefined) throw new Error('There is no such machine.')
        await app.until(ref, snapshot => snapshot.hasTag('connected'))
        log().send({ type: 'log.open', client: ref, text: '' })
        await logClient.wanted()
        await app.until(ref, snapshot => selectLogLines(snapshot).length === logClient.count())
      },
      'go to the start': () => log().send({ type: 'log.goToStart' }),
      'go to the end': () => log().send({ type: 'log.goToEnd' }),
      search: async () => {
        log().send({ type: 'log.setText', text: 'Failed' })
        await app.until(log(), isFiltered)
      },
      'search slowly': async () => {
        log().send({ type: 'log.setText', text: ENDLESS })
        await app.until(log(), isPatternSlow)
      },
      'search wrongly': async () => {
        log().send({ type: 'log.setText', text: 'Failed(' })
        await app.until(log(), snapshot => selectPatternFault(snapshot) !== undefined)
      },
      'show in context': () => {
        log().send({ type: 'log.next' })
        log().send({ type: 'log.showContext' })
      },
      'lose the connection': () => logClient.breakOff(),
    },
    sees: {
      machines: () => expect(now().context.client).toBeUndefined(),
      following: expectFollowing,
      reading: async () => {
        await expectNewLine()
        expectAtStart()
      },
      atEnd: expectFollowing,
      again: async () => {
        await expectEachOnce()
        await expectFollowing()
      },
      readingOn: async () => {
        await expectEachOnce()
        expectAtStart()
      },
      found: () => expect(selectFoundCount(now())).toBe(texts().filter(line => line.includes('Failed')).length),
      slow: () =>
        expect([isPatternSlow(now()), selectFoundCount(now())]).toEqual([
          true,
          texts().filter(line => line.includes('Failed')).length,
        ]),
      context: () => {
        const chosen = selectSelectedLine(now()) ?? -1
        expect(texts()[chosen]).toContain('Failed')
        expect([showsContext(now()), selectShown(now()).count, selectScrollPosition(now())?.number]).toEqual([
          true,
          logClient.count(),
          chosen,
        ])
      },
      invalid: () =>
        expect([selectPatternFault(now()), selectShown(now()).count]).toEqual([
          'Unterminated group',
          logClient.count(),
        ]),
    },
  }
})
