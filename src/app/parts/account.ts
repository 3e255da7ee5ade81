import { fromPromise } from 'xstate'
import {
  deleteAccount,
  deleteTeam,
  endSession,
  fetchAccount,
  renewToken,
  restoreSession,
  saveAccount,
  saveTeam,
  verifyEmail,
} from '../../actors/account/account-tasks.ts'
import { createKeyStore } from '../../actors/account/key-store.ts'
import { rememberPassword } from '../../actors/account/remember-password.ts'
import type { Vault } from '../../actors/account/vault.ts'
import type { pingHost } from '../../actors/network/host-ping.ts'
import { relaySocket } from '../../actors/network/relay-socket.ts'
import type { Wire } from '../../actors/wire/wire.ts'
import { LARGE_OFFSET } from '../../machines/app/clock/clock.selectors.ts'
import { broadcastMachine } from '../../machines/connection/broadcast/broadcast.machine.ts'
import { relayMachine, relayWait } from '../../machines/connection/relay/relay.machine.ts'
import { passphraseTasks } from '../../actors/account/passphrase-actor.ts'
import { resetTasks } from '../../actors/account/reset-actor.ts'
import { signInTasks } from '../../actors/account/sign-in-actor.ts'
import type { SignInDeps } from '../../actors/account/secret-tasks.ts'
import type { AccountForm } from '../../folding/account/account-form.ts'
import type { TeamForm } from '../../folding/account/team-form.ts'
import { loadCode } from '../../loading/load-code.ts'
import { spreadDelay, withJitter } from '../../folding/shared/back-off.ts'
import { accountMachine } from '../../machines/account/account/account.machine.ts'
import { accountWait } from '../../machines/account/account/account.setup.ts'
import type { SignOutReason } from '../../machines/account/account/account.events.ts'
import { passphraseMachine } from '../../machines/account/passphrase/passphrase.machine.ts'
import { resetMachine } from '../../machines/account/reset/reset.machine.ts'
import { accountDraftMachine, settingsMachine } from '../../machines/account/settings/settings.machine.ts'
import { signInMachine } from '../../machines/account/sign-in/sign-in.machine.ts'
import { teamDraftMachine, teamsMachine } from '../../machines/account/teams/teams.machine.ts'
import { verifyMachine } from '../../machines/account/verify/verify.machine.ts'
import type { DraftSaving } from '../../machines/shared/draft/draft.reducer.ts'
import type { PictureResult } from '../../machines/shared/picture/picture.events.ts'
import { pictureMachine } from '../../machines/shared/picture/picture.machine.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import { onSameHost } from '../../protocol/url.ts'

type Task<Input> = (input: Input) => Promise<ApiResult<unknown>>
function task<Input>(run: Task<Input>) {
  return fromPromise<ApiResult<unknown>, Input>(({ input }) => run(input))
}

export type AccountDeps = Omit<SignInDeps, 'keyStore' | 'rememberPassword'> & {
  readonly vault: Promise<Vault | undefined>
  readonly storage: Storage | undefined
  readonly credentials: CredentialsContainer | undefined
  readonly document: Document
  readonly window: Window
  readonly ping: ReturnType<typeof pingHost>
  readonly wire: Wire
  /** From 0 to 1. */
  readonly random: () => number
  /** Milliseconds by which this computer's clock is behind. */
  readonly clockOffset: () => number
  readonly clockSettled: () => Promise<unknown>
}

/** The machines of an account and of its relay, with their effects. */
export function accountMachines({
  vault,
  storage,
  credentials,
  document,
  window,
  ping,
  wire,
  clockOffset,
  clockSettled,
  ...rest
}: AccountDeps) {
  const deps = {
    ...rest,
    keyStore: createKeyStore(vault, storage),
    rememberPassword: rememberPassword({ credentials, scope: window }),
  }
  const picture = pictureMachine.provide({
    actors: {
      scalePicture: fromPromise<PictureResult, { readonly file: Blob }>(async ({ input }) => {
        const { scalePicture } = await loadCode(() => import('../../actors/browser/picture.ts'))
        return scalePicture({ document, url: URL })(input.file)
      }),
    },
  })
  const teams = teamsMachine.provide({
    actors: {
      teamDraft: teamDraftMachine.provide({
        actors: { saveDraft: task<DraftSaving<TeamForm>>(({ value }) => saveTeam(deps, value)) },
      }),
      logo: picture,
      deleteTeam: task<{ readonly team: number }>(({ team }) => deleteTeam(deps, team)),
    },
  })
  const settings = settingsMachine.provide({
    actors: {
      accountDraft: accountDraftMachine.provide({
        actors: { saveDraft: task<DraftSaving<AccountForm>>(({ value }) => saveAccount(deps, value)) },
      }),
      avatar: picture,
      teams,
    },
  })
  const account = accountMachine.provide({
    delays: { retryDelay: ({ context }) => withJitter(accountWait(context), deps.random()) },
    actors: {
      restoreSession: fromPromise(({ signal }) => restoreSession(deps, signal)),
      fetchAccount: fromPromise(({ signal }) => fetchAccount(deps, { signal })),
      renewToken: fromPromise(() => renewToken(deps)),
      deleteAccount: fromPromise(() => deleteAccount(deps)),
      endSession: fromPromise<undefined, { readonly reason: SignOutReason }>(({ input }) =>
        endSession(deps, input.reason),
      ),
      settings,
      passphrase: passphraseMachine.provide({ actors: { passphraseTasks: passphraseTasks(deps) } }),
    },
  })
  return {
    account,
    relay: relayMachine.provide({
      delays: {
        reconnectDelay: ({ context }) => withJitter(relayWait(context), deps.random()),
        spreadDelay: () => spreadDelay(deps.random()),
      },
      actors: {
        relaySocket: relaySocket({ wire, offset: clockOffset }),
        pingNode: fromPromise(({ input, signal }) => ping(onSameHost(input.url, '/ping'), signal)),
      },
    }),
    broadcaster: broadcastMachine.provide({
      actors: {
        readClock: fromPromise(async () => {
          await clockSettled()
          return { now: deps.now(), isTrusted: Math.abs(clockOffset()) <= LARGE_OFFSET }
        }),
      },
    }),
    signIn: signInMachine.provide({ actors: { signInTasks: signInTasks(deps) } }),
    reset: resetMachine.provide({ actors: { resetTasks: resetTasks(deps) } }),
    verify: verifyMachine.provide({
      actors: {
        verifyEmail: task<{ readonly secrets: { readonly token: string } }>(({ secrets }) =>
          verifyEmail(deps, secrets.token),
        ),
      },
    }),
  }
}
