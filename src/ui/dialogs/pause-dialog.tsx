import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { groupsToResume, finishBlocker as whyNothingToFinishOf } from '../../folding/client/finishing.ts'
import { selectData } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef, whyNothingToFinish } from '../../machines/connection/fleet/fleet.selectors.ts'
import type { PauseDialog as Pause } from '../../machines/shared/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { useClientName } from '../hooks/use-client-name.ts'

/** Resume, pause or finish one client, one of its groups, or all clients. */
export function PauseDialog({ dialog: { id, client, group } }: { dialog: Pause }) {
  const { dialogs, fleet } = useSystem()
  const machine = useClientName(client)
  const ref = useSelector(fleet, selectClientRef(client ?? ''))
  const noneOfAll = useSelector(fleet, whyNothingToFinish())
  const data = useSelector(ref, snapshot => (snapshot === undefined ? undefined : selectData(snapshot)))
  const noFinish = client === undefined ? noneOfAll : whyNothingToFinishOf(data, group)
  const resumes = groupsToResume(data, group).length > 0
  const answer = (button: string): void => dialogs.send({ type: 'dialogs.answer', id, button })
  const what =
    client === undefined ? t`all machines` : group === undefined || group === '' ? machine : t`${group} on ${machine}`
  return (
    <Dialog
      title={t`Fold, pause or finish ${what}?`}
      onLeave={() => answer('cancel')}
      footer={
        <>
          <Button onPress={() => answer('cancel')}>{t`Cancel`}</Button>
          <Button icon="do-fold" onPress={() => answer('resume')}>
            {t`Resume`}
          </Button>
          <Button icon="do-finish" blockedBecause={noFinish} onPress={() => answer('finish')}>
            {t`Finish`}
          </Button>
          <Button kind="primary" icon="do-pause" autoFocus onPress={() => answer('pause')}>
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
