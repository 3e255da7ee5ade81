import { expect } from 'vitest'
import { statisticsModel } from '../../../models/statistics.model.ts'
import { teamStanding } from '../../../src/folding/account/standings.ts'
import { rankBucket } from '../../../src/folding/unit/statistics.ts'
import { teamKey } from '../../../src/folding/shared/resource-keys.ts'
import {
  selectDonorName,
  selectPasskey,
  selectTeam,
  selectTeamKey,
  selectUserKey,
} from '../../../src/machines/account/donor/donor.selectors.ts'
import { selectResource } from '../../../src/machines/resource/query-cache/query-cache.selectors.ts'
import {
  selectResourceState,
  initialResourceState,
} from '../../../src/machines/resource/resource/resource.selectors.ts'
import { decodeDonor, type Donor } from '../../../src/protocol/api.ts'
import { makeAccount } from '../../new-account.ts'
import { dialogOf } from './dialog-of.ts'
import { walkInProcess } from './journeys.ts'

const TEAM = 4242

walkInProcess('statistics [2.19, 2.21, 7.24, 7.25, 9.6]', statisticsModel, async (app, network) => {
  const newcomer = await makeAccount(network)
  const login = dialogOf(app)
  const system = () => app.system()
  const donor = () => system().donor.getSnapshot()

  /** The resources that a statistics screen wants, for the current donor. */
  const show = (): void => {
    const key = selectUserKey(donor())
    const team = selectTeamKey(donor())
    if (key !== undefined)
      system().queryCache.send({ type: 'queryCache.want', key, secrets: { passkey: selectPasskey(donor()) } })
    if (team !== undefined) system().queryCache.send({ type: 'queryCache.want', key: team })
  }
  const logIn = async (credentials: typeof newcomer): Promise<void> => {
    await login.logIn(credentials)
    await app.until(system().account, snapshot => snapshot.hasTag('signedIn'))
    show()
  }
  const stateOfUser = () => {
    const ref = selectResource(selectUserKey(donor()))(system().queryCache.getSnapshot())
    return ref === undefined ? initialResourceState : selectResourceState(ref.getSnapshot())
  }
  const untilUser = async (holds: (state: ReturnType<typeof stateOfUser>) => boolean): Promise<void> => {
    const ref = selectResource(selectUserKey(donor()))(system().queryCache.getSnapshot())
    if (ref === undefined) throw new Error('Statistics have no reader.')
    await app.until(ref, () => holds(stateOfUser()))
  }
  const refresh = (): void => {
    const key = selectUserKey(donor())
    if (key !== undefined) system().queryCache.send({ type: 'queryCache.refresh', key })
  }
  const expectKnown = async (): Promise<void> => {
    await untilUser(({ value }) => value !== undefined)
    const decoded = decodeDonor(JSON.parse(JSON.stringify(stateOfUser().value)) as never)
    const value: Donor = decoded.ok ? decoded.value : {}
    expect([value.name, rankBucket(value.rank), selectTeam(donor())]).toEqual([
      'Demo_Donor',
      expect.stringMatching(/^Top /),
      TEAM,
    ])
    expect(teamStanding(TEAM, undefined, value).own?.share).toBeGreaterThan(0)
  }
  const expectFailed = async (): Promise<void> => {
    await untilUser(({ fault, isLoading }) => fault !== undefined && !isLoading)
    expect([stateOfUser().value, stateOfUser().isAbsent, system().account.getSnapshot().hasTag('signedIn')]).toEqual([
      undefined,
      false,
      true,
    ])
  }
  const expectSignedOut = (): void => {
    expect([selectDonorName(donor()), selectTeam(donor())]).toEqual([undefined, 0])
    for (const key of [selectUserKey(donor()), teamKey(TEAM)])
      expect(selectResource(key)(system().queryCache.getSnapshot())?.getSnapshot().context.known).toBeUndefined()
    expect(app.device.readable()).not.toMatch(/Demo_Donor|"Ada"|Foldboard Friends/)
  }
  return {
    does: {
      'log in without points': () => logIn(newcomer),
      'log in with points': () => logIn(network.account),
      'log in while the statistics are down': () => {
        app.setReachable(false, /\/user\//)
        return logIn(network.account)
      },
      'try again': () => {
        app.setReachable(true)
        refresh()
      },
      'try again in vain': refresh,
      'open an award': () =>
        system().dialogs.send({
          type: 'dialogs.ask',
          dialog: { kind: 'award', id: 'award', title: 'WU award of Demo_Donor', address: 'https://a.test/' },
        }),
      'close it': () => app.answer('close'),
      'log out': async () => {
        system().account.send({ type: 'account.signOut' })
        await app.until(system().account, snapshot => snapshot.matches('signedOut'))
      },
    },
    sees: {
      signedOut: expectSignedOut,
      newcomer: async () => {
        await untilUser(({ isAbsent }) => isAbsent)
        expect([selectDonorName(donor()), selectTeam(donor()), rankBucket(undefined)]).toEqual(['Ada', 0, 'Unranked'])
      },
      known: expectKnown,
      award: async () =>
        expect(await app.shownDialog()).toMatchObject({ kind: 'award', title: 'WU award of Demo_Donor' }),
      knownStill: expectKnown,
      failed: expectFailed,
      failedAgain: expectFailed,
      recovered: expectKnown,
      left: expectSignedOut,
    },
  }
})
