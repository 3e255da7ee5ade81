import { safeWebUrl } from '../../folding/address/web-address.ts'
import type { ConfirmDialog as Confirm, DialogButton } from '../../machines/shared/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { OutsideLink } from '../parts/actions/outside-link.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'

type AnswerProps = { readonly button: DialogButton; readonly isSafe: boolean; readonly onAnswer: () => void }

function Answer({ button: { name, tone = 'quiet', opens, blockedBecause }, isSafe, onAnswer }: AnswerProps) {
  const address = safeWebUrl(opens)
  if (address === undefined)
    return (
      <Button kind={tone} autoFocus={isSafe} blockedBecause={blockedBecause} onPress={onAnswer}>
        {name}
      </Button>
    )
  return (
    <OutsideLink href={address} kind={tone === 'primary' ? 'primary' : 'quiet'} onFollow={onAnswer}>
      {name}
    </OutsideLink>
  )
}

/** One question. The safe choice comes first and has the focus. */
export function ConfirmDialog({ dialog: { id, title, text, buttons } }: { dialog: Confirm }) {
  const { dialogs } = useSystem()
  const answer = (button: string): void => dialogs.send({ type: 'dialogs.answer', id, button })
  return (
    <Dialog
      title={title}
      isQuestion
      onLeave={() => answer(buttons[0].id)}
      footer={buttons.map((button, index) => (
        <Answer key={button.id} button={button} isSafe={index === 0} onAnswer={() => answer(button.id)} />
      ))}
    >
      <p>{text}</p>
    </Dialog>
  )
}
