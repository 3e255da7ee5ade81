import type { ConfirmDialog as Confirm } from '../../machines/screens/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../system-context.ts'

/** One question, in one sentence. The safe choice comes first and has the focus. */
export const ConfirmDialog = ({ dialog: { id, title, text, buttons } }: { dialog: Confirm }) => {
  const { dialogs } = useSystem()
  const answer = (name: string): void => dialogs.send({ type: 'dialogs.answer', id, button: name.toLowerCase() })
  return (
    <Dialog
      title={title}
      isQuestion
      onLeave={() => answer(buttons[0].name)}
      footer={buttons.map(({ name, tone }, index) => (
        <Button key={name} kind={tone ?? 'quiet'} autoFocus={index === 0} onPress={() => answer(name)}>
          {name}
        </Button>
      ))}
    >
      <p>{text}</p>
    </Dialog>
  )
}
