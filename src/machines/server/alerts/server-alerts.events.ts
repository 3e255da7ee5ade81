import type { AlertsAnswer, PushAnswer, TestAnswer } from '../../../folding/incidents/alert-answers.ts'

/** Whether this browser shows alerts of the server while the page is closed. */
export type BrowserPush =
  /** It cannot, or the page is not secure. */
  | 'unsupported'
  /** Its user has forbidden notifications of this page. */
  | 'denied'
  | 'off'
  | 'on'

/** What the user asks for: a test by a channel, or alerts in this browser. */
export type AlertTask =
  | { readonly kind: 'test'; readonly channel: string }
  | { readonly kind: 'subscribe' }
  | { readonly kind: 'unsubscribe' }

export type AlertsReply =
  | {
      readonly kind: 'known'
      /** Undefined for people who are no administrators. */
      readonly alerts: AlertsAnswer | undefined
      readonly push: PushAnswer
      readonly browser: BrowserPush
    }
  | { readonly kind: 'unreachable' }

export type AlertTaskResult =
  | { readonly kind: 'tested'; readonly channel: string; readonly answer: TestAnswer }
  | { readonly kind: 'done' }
  /** The user of the browser did not allow notifications. */
  | { readonly kind: 'notAllowed' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable' }

export type ServerAlertsEvent =
  /** The screen is opened, or left. */
  | { readonly type: 'alerts.open' }
  | { readonly type: 'alerts.close' }
  | { readonly type: 'alerts.do'; readonly task: AlertTask }
