import { t } from '@lingui/core/macro'
import type { MessageLevel, ShownDialog } from '../../machines/shared/dialogs/dialogs.events.ts'
import { Button } from '../parts/actions/button.tsx'
import { classNames } from '../parts/class-names.ts'
import type { Tone } from '../parts/display/tone.ts'
import tones from '../parts/display/tones.module.css'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './message-dialog.module.css'

type MessagesDialog = Extract<ShownDialog, { kind: 'message' }>

const levelAppearances: Readonly<Record<MessageLevel, { readonly icon: IconName; readonly tone: Tone }>> = {
  error: { icon: 'fail', tone: 'failed' },
  warn: { icon: 'warning', tone: 'warning' },
  info: { icon: 'info', tone: 'transfer' },
}

/** One or more messages. */
export function MessageDialog({ dialog: { id, messages } }: { dialog: MessagesDialog }) {
  const { dialogs } = useSystem()
  const answer = (button: string): void => dialogs.send({ type: 'dialogs.answer', id, button })
  const leave = (): void => answer('ok')
  const isOne = messages.length === 1
  return (
    <Dialog
      title={(isOne ? messages[0]?.title : undefined) ?? t`Multiple messages`}
      onLeave={leave}
      footer={
        <>
          {messages.map(({ button }) =>
            button === undefined ? undefined : (
              <Button key={button.id} onPress={() => answer(button.id)}>
                {button.name}
              </Button>
            ),
          )}
          <Button kind="primary" autoFocus onPress={leave}>
            {t`OK`}
          </Button>
        </>
      }
    >
      <ul className="grid gap-4">
        {messages.map(({ level, title, text }) => (
          <li key={`${title} ${text}`} className={classNames(styles['message'], tones[levelAppearances[level].tone])}>
            <Icon name={levelAppearances[level].icon} />
            <div>
              {isOne ? undefined : <h3 className="strong">{title}</h3>}
              <p className={styles['text']}>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
