/** An event that an answer sends, as data, so that it can be recorded. `to`: the system id of an actor. */
export type AnswerEvent = {
  readonly to: string
  readonly event: { readonly type: string; readonly [key: string]: unknown }
}

export type DialogButton = {
  /** What `dialogs.answer` carries when it is pressed. */
  readonly id: string
  readonly name: string
  readonly tone?: 'primary' | 'quiet' | 'danger'
  readonly sends?: readonly AnswerEvent[]
  /** Why the button is disabled; undefined when it is enabled. */
  readonly blockedBecause?: string
  /** The address of a site that it opens in a new tab: http or https, as returned by `safeWebUrl`. */
  readonly opens?: string
}

export type MessageLevel = 'error' | 'warn' | 'info'
export type Message = {
  readonly level: MessageLevel
  readonly title: string
  readonly text: string
  /** Beside OK. */
  readonly button?: DialogButton
}

export type ConfirmDialog = {
  readonly kind: 'confirm'
  readonly id: string
  readonly title: string
  readonly text: string
  /** The first one is the safe choice: it has the focus, and Escape presses it. */
  readonly buttons: readonly [DialogButton, ...DialogButton[]]
}

export type PauseDialog = {
  readonly kind: 'pause'
  readonly id: string
  readonly client: string
}

/** The picture of an award. `address`: http or https, as returned by `safeWebUrl`. `title`: describes the picture. */
export type AwardDialog = {
  readonly kind: 'award'
  readonly id: string
  readonly title: string
  readonly address: string
}

/** The person's tags of a client. `client`: its connection; `machine`: its own id. */
export type TagsDialog = {
  readonly kind: 'tags'
  readonly id: string
  readonly client: string
  readonly machine: string
}

export type QuestionDialog = ConfirmDialog | PauseDialog | AwardDialog | TagsDialog
/** The dialog on the screen: one question, or all messages together. */
export type ShownDialog =
  | QuestionDialog
  | { readonly kind: 'message'; readonly id: string; readonly messages: readonly Message[] }

export type DialogsEvent =
  | { readonly type: 'dialogs.ask'; readonly dialog: QuestionDialog }
  | { readonly type: 'dialogs.showMessage'; readonly message: Message }
  /** Remove questions that no longer apply: 'account' also removes 'account:token' and the like. */
  | { readonly type: 'dialogs.withdraw'; readonly id: string }
  /** `button` is the id of the pressed button; 'cancel' also when the dialog was left by Escape. */
  | { readonly type: 'dialogs.answer'; readonly id: string; readonly button: string }
