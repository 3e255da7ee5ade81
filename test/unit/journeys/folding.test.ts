import { expect } from 'vitest'
import { foldingModel } from '../../../models/folding.model.ts'
import { clientState } from '../../../src/folding/client/client.ts'
import { selectAskedState, selectIgnored } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectClientRef, selectTotals } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { Network } from '../../../programs/network/index.ts'
import type { HeadlessApp } from '../../headless-app.ts'
import type { Driver } from '../../journey.ts'
import { otherController } from '../../other-controller.ts'
import { dialogOf } from './dialog-of.ts'
import { walkWithMachines } from './journeys.ts'

type State = 'fold' | 'pause' | 'finish'

async function drive(app: HeadlessApp, network: Network): Promise<Driver<typeof foldingModel>> {
  await dialogOf(app).logIn(network.account)
  await network.online()
  const { fleet, dialogs } = app.system()
  const [one, other] = await Promise.all(
    network.clients().map(async simulated => {
      await app.until(fleet, snapshot => selectClientRef(simulated.id)(snapshot) !== undefined)
      const ref = selectClientRef(simulated.id)(fleet.getSnapshot())
      if (ref === undefined) throw new Error('The account has lost a machine.')
      await app.until(ref, snapshot => snapshot.hasTag('connected'))
      return { ref, id: simulated.id, groups: otherController(simulated).groups }
    }),
  )
  if (one === undefined || other === undefined) throw new Error('The account has two machines.')
  /** What a client reports, what it does, and that nothing is owed. */
  const expectState = async ({ ref, groups }: typeof one, state: State): Promise<void> => {
    await app.until(
      ref,
      snapshot => clientState(snapshot.context.record.data) === state && selectAskedState()(snapshot) === undefined,
    )
    expect([
      groups()['']?.['paused'] ?? false,
      groups()['']?.['finish'] ?? false,
      selectIgnored(ref.getSnapshot()),
    ]).toEqual([state === 'pause', state === 'finish', []])
  }
  const expectStates = (first: State, second: State) => async (): Promise<void> => {
    await expectState(one, first)
    await expectState(other, second)
    await app.until(
      fleet,
      snapshot => selectTotals(snapshot).active === [first, second].filter(state => state !== 'pause').length,
    )
  }
  const all = (word: State) => (): void => fleet.send({ type: 'fleet.setState', state: word })
  const tell = (word: State) => (): void => one.ref.send({ type: 'client.setState', state: word })
  return {
    does: {
      'pause one': tell('pause'),
      'finish one': tell('finish'),
      'fold it': tell('fold'),
      'ask what is meant': () =>
        dialogs.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: 'pause', client: one.id } }),
      // The dialog's button does what the machine's own does.
      'answer pause': () => {
        app.answer('cancel')
        tell('pause')()
      },
      cancel: () => app.answer('cancel'),
      'pause all': all('pause'),
      'finish all': all('finish'),
      'fold all': all('fold'),
    },
    sees: {
      folding: expectStates('fold', 'fold'),
      onePaused: expectStates('pause', 'fold'),
      oneFinishing: expectStates('finish', 'fold'),
      asked: async () => {
        expect(await app.shownDialog()).toMatchObject({ kind: 'pause', client: one.id })
        await expectStates('fold', 'fold')()
      },
      unchanged: expectStates('fold', 'fold'),
      allPaused: expectStates('pause', 'pause'),
      allFinishing: expectStates('finish', 'finish'),
      resumed: expectStates('fold', 'fold'),
    },
  }
}

walkWithMachines('folding', foldingModel, 2, drive)
walkWithMachines('folding with clients of 8.3', foldingModel, 2, drive, { clientVersion: '8.3' })
