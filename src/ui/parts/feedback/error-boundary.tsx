import { t } from '@lingui/core/macro'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { loadErrorText } from '../../../folding/shared/load-fault.ts'
import { Button } from '../actions/button.tsx'
import { EmptyState } from '../display/empty-state.tsx'

type Props = {
  readonly children: ReactNode
  /** A change clears the error. */
  readonly resetKey?: string
  readonly onError?: (error: unknown, where: string) => void
  /** What failed, at the start of a sentence: 'This screen'. */
  readonly what: string
}

type State = { readonly error: unknown; readonly hasFailed: boolean }

type Thrown = { readonly what: string; readonly error: unknown; readonly actions: ReactNode }

/** An error in place of what threw it. Its link loads the page again, since what it is made of may be at fault. */
export function ErrorState(props: Thrown) {
  return (
    <EmptyState icon="fail" title={t`${props.what} cannot be shown`} actions={props.actions}>
      {loadErrorText(props.error) ?? (
        <>
          <p>
            {t`This is an error in Foldboard; your machines keep folding.`}{' '}
            <a href={`${import.meta.env.BASE_URL}help/when-something-is-wrong#the-page-itself-fails`} className="link">
              {t`Help`}
            </a>
          </p>
          <p>
            <code>{String(props.error)}</code>
          </p>
        </>
      )}
    </EmptyState>
  )
}

/** Shows an error, with a button to try again, in place of children that throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, hasFailed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError?.(error, info.componentStack ?? '')
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ error: undefined, hasFailed: false })
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <ErrorState
        what={this.props.what}
        error={this.state.error}
        actions={
          <Button kind="primary" onPress={() => this.setState({ error: undefined, hasFailed: false })}>
            {t`Try again`}
          </Button>
        }
      />
    )
  }
}
