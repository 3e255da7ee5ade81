import type { PauseDialog as Pause } from '../../machines/screens/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../system-context.ts'
import { useClientName } from '../use-client-name.ts'

/** Resume, pause or finish: one machine, one of its groups, or all. */
export const PauseDialog = ({ dialog: { id, client, group } }: { dialog: Pause }) => {
  const { dialogs } = useSystem()
  const machine = useClientName(client)
  const answer = (button: string): void => dialogs.send({ type: 'dialogs.answer', id, button })
  const what =
    client === undefined ? 'all machines' : group === undefined || group === '' ? machine : `${group} on ${machine}`
  return (
    <Dialog
      title={`Fold, pause or finish ${what}?`}
      onLeave={() => answer('cancel')}
      footer={
        <>
          <Button onPress={() => answer('cancel')}>Cancel</Button>
          <Button icon="do-fold" onPress={() => answer('resume')}>
            Resume
          </Button>
          <Button icon="do-finish" onPress={() => answer('finish')}>
            Finish
          </Button>
          <Button kind="primary" icon="do-pause" autoFocus onPress={() => answer('pause')}>
            Pause
          </Button>
        </>
      }
    >
      <p>Pause stops at once and keeps the work. Finish completes the active work units and then pauses.</p>
    </Dialog>
  )
}
