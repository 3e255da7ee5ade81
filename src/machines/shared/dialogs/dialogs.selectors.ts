import type { Message, ShownDialog } from './dialogs.events.ts'
import { MESSAGES_DIALOG, type DialogsSnapshot } from './dialogs.machine.ts'

/** One dialog object per list of messages, so that the screen does not render again. */
const shown = new WeakMap<readonly Message[], ShownDialog>()

/** The dialog on the screen: messages come before questions. */
export function selectDialog(snapshot: DialogsSnapshot): ShownDialog | undefined {
  const { messages, questions } = snapshot.context
  if (messages.length === 0) return questions[0]
  const cached = shown.get(messages)
  if (cached !== undefined) return cached
  const dialog: ShownDialog = { kind: 'message', id: MESSAGES_DIALOG, messages }
  shown.set(messages, dialog)
  return dialog
}
