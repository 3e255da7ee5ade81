import { fromPromise } from 'xstate'
import { renameClient, unlinkClient } from '../../actors/account/account-tasks.ts'
import type { Api } from '../../actors/network/api.ts'
import type { ClientForm } from '../../folding/client/client-form.ts'
import {
  clientSettingsMachine,
  machineDraftMachine,
} from '../../machines/connection/client-settings/client-settings.machine.ts'
import type { DraftSaving } from '../../machines/shared/draft/draft.reducer.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'

/** The settings machine with its effects, for what the account stores. The rest is sent to the client. */
export function clientSettings(api: Api) {
  return {
    settings: clientSettingsMachine.provide({
      actors: {
        machineDraft: machineDraftMachine.provide({
          actors: {
            saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<ClientForm>>(({ input }) => saveName(api, input)),
          },
        }),
        unlinkMachine: fromPromise<ApiResult<unknown>, { readonly machine: string }>(({ input }) =>
          unlinkClient({ api }, input.machine),
        ),
      },
    }),
  }
}

function saveName(api: Api, { before, value: { linked } }: DraftSaving<ClientForm>): Promise<ApiResult<unknown>> {
  return linked === undefined || linked.name === before.linked?.name
    ? Promise.resolve({ ok: true, value: undefined })
    : renameClient({ api }, linked)
}
