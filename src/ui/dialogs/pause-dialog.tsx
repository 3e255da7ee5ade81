import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { groupsToResume, finishBlocker as whyNothingToFinish } from '../../folding/client/finishing.ts'
import { selectData } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../machines/connection/fleet/fleet.selectors.ts'
import type { PauseDialog as Pause } from '../../machines/shared/dialogs/dialogs.events.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { useClientName } from '../hooks/use-client-name.ts'
import { requestState } from '../screens/machines/client/request-state.ts'

/** Resume, pause or finish a client: the same as its buttons. */
export function PauseDialog({ dialog: { id, client } }: { dialog: Pause }) {
  const system = useSystem()
  const { dialogs, fleet } = system
  const what = useClientName(client)
  const ref = useSelector(fleet, selectClientRef(client))
  const data = useSelector(ref, snapshot => (snapshot === undefined ? undefined : selectData(snapshot)))
  const resumes = groupsToResume(data).length > 0
  const close = (): void => dialogs.send({ type: 'dialogs.answer', id, button: 'cancel' })
  const request = (state: FoldingState): void => {
    close()
    if (ref !== undefined) requestState(ref, system, state)
  }
  return (
    <Dialog
      title={t`Fold, pause or finish ${what}?`}
      onLeave={close}
      footer={
        <>
          <Button onPress={close}>{t`Cancel`}</Button>
          <Button icon="do-fold" onPress={() => request('fold')}>
            {t`Resume`}
          </Button>
          <Button icon="do-finish" blockedBecause={whyNothingToFinish(data)} onPress={() => request('finish')}>
            {t`Finish`}
          </Button>
          <Button kind="primary" icon="do-pause" autoFocus onPress={() => request('pause')}>
            {t`Pause`}
          </Button>
        </>
      }
    >
      <p>
        {resumes
          ? t`Pause stops now and keeps the progress. Finish resumes the active work units, completes them and then pauses.`
          : t`Pause stops now and keeps the progress. Finish completes the active work units and then pauses.`}
      </p>
    </Dialog>
  )
}
