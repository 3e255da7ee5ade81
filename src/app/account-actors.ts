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
} from '../actors/account/account-tasks.ts'
import { passphraseTasks } from '../actors/account/passphrase-actor.ts'
import { resetTasks } from '../actors/account/reset-actor.ts'
import { signInTasks, type SignInDeps } from '../actors/account/sign-in-actor.ts'
import type { AccountForm } from '../folding/account/account-form.ts'
import type { TeamForm } from '../folding/account/team-form.ts'
import { loadCode } from '../loading/load-code.ts'
import { withJitter } from '../folding/shared/back-off.ts'
import { accountMachine } from '../machines/account/account/account.machine.ts'
import { accountWait } from '../machines/account/account/account.setup.ts'
import type { SignOutReason } from '../machines/account/account/account.events.ts'
import { passphraseMachine } from '../machines/account/passphrase/passphrase.machine.ts'
import { resetMachine } from '../machines/account/reset/reset.machine.ts'
import { accountDraftMachine, settingsMachine } from '../machines/account/settings/settings.machine.ts'
import { signInMachine } from '../machines/account/sign-in/sign-in.machine.ts'
import { teamDraftMachine, teamsMachine } from '../machines/account/teams/teams.machine.ts'
import { verifyMachine } from '../machines/account/verify/verify.machine.ts'
import type { DraftSaving } from '../machines/shared/draft/draft.reducer.ts'
import type { PictureResult } from '../machines/shared/picture/picture.events.ts'
import { pictureMachine } from '../machines/shared/picture/picture.machine.ts'
import type { ApiResult } from '../protocol/api-fault.ts'

type Task<Input> = (input: Input) => Promise<ApiResult<unknown>>
const task = <Input>(run: Task<Input>) => fromPromise<ApiResult<unknown>, Input>(({ input }) => run(input))

/** The machines of an account with their effects. */
export const accountActors = (deps: SignInDeps & { readonly random: () => number }, document: Document) => {
  const picture = pictureMachine.provide({
    actors: {
      scalePicture: fromPromise<PictureResult, { readonly file: Blob }>(async ({ input }) => {
        const { scalePicture } = await loadCode(() => import('../actors/picture.ts'))
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
