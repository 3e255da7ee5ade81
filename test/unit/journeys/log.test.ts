import { afterAll, expect } from 'vitest'
import { logModel } from '../../../models/log.model.ts'
import { isConnected, selectLogLines } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  isFiltered,
  isFollowing,
  isPatternSlow,
  selectChosen,
  selectFoundCount,
  selectLineCount,
  selectPatternFault,
  selectPlace,
  selectShown,
  showsContext,
} from '../../../src/machines/screens/log/log.selectors.ts'
import { ENDLESS } from '../../fakes/search-thread.ts'
import { startLogScene, type LogScene } from '../../log-scene.ts'
import { walkInProcess } from './journeys.ts'

const scenes: LogScene[] = []
afterAll(() => scenes.forEach(scene => scene.stop()))

walkInProcess('reading a log', logModel, async person => {
  const scene = await startLogScene()
  scenes.push(scene)
  const log = () => person.system().log
  const now = () => log().getSnapshot()
  const client = () => selectClientRef(`@${scene.address}`)(person.system().fleet.getSnapshot())
  const haveAll = () => person.until(log(), snapshot => selectLineCount(snapshot) === scene.count())
  const texts = () => client()?.getSnapshot().context.record.log.toArray() ?? []
  const expectNewLine = async (): Promise<void> => {
    scene.write()
    await haveAll()
    expect(texts().at(-1)).toContain(scene.newest())
  }
  const expectEachOnce = async (): Promise<void> => {
    await haveAll()
    expect(new Set(texts()).size).toBe(scene.count())
  }
  const expectFollowing = async (): Promise<void> => {
    await expectNewLine()
    expect([isFollowing(now()), isFiltered(now())]).toEqual([true, false])
  }
  const expectAtStart = () =>
    expect([selectPlace(now()), isFollowing(now())]).toEqual([{ number: 0, offset: 0 }, false])
  return {
    does: {
      'open the log': async () => {
        person.system().fleet.send({ type: 'fleet.connect', address: scene.address })
        const ref = client()
        if (ref === undefined) throw new Error('There is no such machine.')
        await person.until(ref, isConnected)
        log().send({ type: 'log.open', client: ref, text: '' })
        await scene.wanted()
        await person.until(ref, snapshot => selectLogLines(snapshot).length === scene.count())
      },
      'go to the start': () => log().send({ type: 'log.goToStart' }),
      'go to the end': () => log().send({ type: 'log.goToEnd' }),
      search: async () => {
        log().send({ type: 'log.type', text: 'Failed' })
        await person.until(log(), isFiltered)
      },
      'search slowly': async () => {
        log().send({ type: 'log.type', text: ENDLESS })
        await person.until(log(), isPatternSlow)
      },
      'search wrongly': () => log().send({ type: 'log.type', text: 'Failed(' }),
      'show in context': () => {
        log().send({ type: 'log.next' })
        log().send({ type: 'log.showContext' })
      },
      'lose the connection': () => scene.breakOff(),
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
        const chosen = selectChosen(now()) ?? -1
        expect(texts()[chosen]).toContain('Failed')
        expect([showsContext(now()), selectShown(now()).count, selectPlace(now())?.number]).toEqual([
          true,
          scene.count(),
          chosen,
        ])
      },
      invalid: () =>
        expect([selectPatternFault(now()), selectShown(now()).count]).toEqual(['Unterminated group', scene.count()]),
    },
  }
})
