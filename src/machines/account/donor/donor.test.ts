import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import { donorMachine } from './donor.machine.ts'
import { selectDonorName, selectPasskey, selectTeam, selectTeamKey, selectUserKey } from './donor.selectors.ts'

const ada: DonorConfig = { user: 'Ada/L', team: 7, secrets: { passkey: 'p' } }
const local: DonorConfig = { user: 'Anonymous', team: 0, secrets: { passkey: '' } }

function startDonor() {
  const actor = createActor(donorMachine).start()
  const shown = () =>
    [selectDonorName, selectTeam, selectPasskey, selectUserKey, selectTeamKey].map(select =>
      select(actor.getSnapshot()),
    )
  return { actor, shown }
}

const NO_DONOR = [undefined, 0, '', undefined, undefined]

describe('whose points are shown', () => {
  it('have no donor at first, and none when the client on this computer folds anonymously [5.8]', () => {
    const { actor, shown } = startDonor()
    expect(shown()).toEqual(NO_DONOR)
    actor.send({ type: 'donor.localChanged', donor: local })
    expect(shown()).toEqual(NO_DONOR)
  })

  it('are those of the client on this computer without an account', () => {
    const { actor, shown } = startDonor()
    actor.send({ type: 'donor.localChanged', donor: ada })
    expect(shown()).toEqual(['Ada/L', 7, 'p', 'user/Ada%2FL/7', 'team/7'])
  })

  it('are the team’s and the own contribution of an anonymous member', () => {
    const { actor, shown } = startDonor()
    actor.send({ type: 'donor.localChanged', donor: { ...local, user: '', team: 5 } })
    expect(shown()).toEqual([undefined, 5, '', 'user/Anonymous/5', 'team/5'])
  })

  it('are the account’s while signed in, and are cleared afterwards [12.11]', () => {
    const { actor, shown } = startDonor()
    actor.send({ type: 'donor.signedIn', donor: ada })
    actor.send({ type: 'donor.localChanged', donor: { ...local, team: 9 } })
    expect(shown()).toEqual(['Ada/L', 7, 'p', 'user/Ada%2FL/7', 'team/7'])
    actor.send({ type: 'donor.signedOut' })
    expect(shown()).toEqual([undefined, 9, '', 'user/Anonymous/9', 'team/9'])
    expect(JSON.stringify(actor.getSnapshot().context)).not.toContain('Ada')
  })
})
