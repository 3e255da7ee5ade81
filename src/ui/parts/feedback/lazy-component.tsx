import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import { LoadError, loadFaultText, type LoadFault } from '../../../folding/shared/load-fault.ts'
import { loadCode } from '../../../loading/load-code.ts'
import { Button } from '../actions/button.tsx'
import { EmptyState } from '../display/empty-state.tsx'
import styles from './lazy-component.module.css'

type Failure = {
  /** What is missing, as a person would call it: 'The menu'. */
  readonly what: string
  readonly fault: LoadFault
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

type View<Props> = (props: Props) => ReactNode

const reload = (): void => window.location.reload()

const RetryButtons = ({ fault, isRetrying, onRetry }: Omit<Failure, 'what'>) => (
  <>
    {fault === 'newVersion' ? undefined : (
      <Button kind="primary" isPending={isRetrying} onPress={onRetry}>
        {isRetrying ? t`Trying again…` : t`Try again`}
      </Button>
    )}
    {fault === 'serverAway' ? undefined : (
      <Button kind={fault === 'newVersion' ? 'primary' : 'quiet'} onPress={reload}>
        {t`Reload the page`}
      </Button>
    )}
  </>
)

/** In the place of what could not be loaded. */
const LoadFailure = ({ what, ...failure }: Failure) => (
  <div role="alert">
    <EmptyState icon="offline" title={t`${what} cannot be shown now`} actions={<RetryButtons {...failure} />}>
      <p>{loadFaultText(failure.fault)}</p>
    </EmptyState>
  </div>
)

/**
 * In the place of a dialog or a menu that could not be loaded. It is the browser's own dialog, since the code of all
 * other dialogs may be what is missing.
 */
const LoadFailureDialog = ({ what, onClose, ...failure }: Failure & { readonly onClose: () => void }) => {
  const ref = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog ref={ref} aria-labelledby={title} className={styles['dialog']} onClose={onClose}>
      <h2 id={title} className={styles['title']}>
        {t`${what} cannot be shown now`}
      </h2>
      <p>{loadFaultText(failure.fault)}</p>
      <footer className={styles['actions']}>
        <Button onPress={onClose}>{t`Close`}</Button>
        <RetryButtons {...failure} />
      </footer>
    </dialog>
  )
}

type Loaded<Props> =
  { readonly ok: true; readonly Component: View<Props> } | { readonly ok: false; readonly fault: LoadFault }

/** Milliseconds for which a failure is the answer: from the router's question to the first drawing of its screen. */
const FAILURE_HOLDS = 500

/** The code of one component. A failure is an answer like any other; who asks later causes another attempt. */
const codeOf = <Name extends string, Props>(load: () => Promise<Readonly<Record<Name, View<Props>>>>, name: Name) => {
  let known: View<Props> | undefined
  let running: Promise<Loaded<Props>> | undefined
  const run = async (): Promise<Loaded<Props>> => {
    try {
      known = (await loadCode(load))[name]
      return { ok: true, Component: known }
    } catch (error) {
      if (error instanceof LoadError) return { ok: false, fault: error.fault }
      throw error
    }
  }
  const retry = (): Promise<Loaded<Props>> => {
    const own = run()
    running = own
    const forget = (): void => {
      if (running === own) running = undefined
    }
    void own.then(
      ({ ok }) => setTimeout(forget, ok ? 0 : FAILURE_HOLDS),
      () => setTimeout(forget, FAILURE_HOLDS),
    )
    return own
  }
  return {
    known: () => known,
    load: () => running ?? retry(),
    retry,
    /** Whoever needs it later asks again, so a failure is of no interest here. */
    preload: (): void => {
      if (known === undefined && running === undefined) void retry().catch(() => undefined)
    },
  }
}

type Code<Props> = ReturnType<typeof codeOf<string, Props>>
type Retry = Pick<Failure, 'fault' | 'isRetrying' | 'onRetry'>
type ShowFailure<Props> = (retry: Retry, props: Props) => ReactNode

/** Shown only when the code of a dialog takes long enough to be noticed. It keeps nobody from using the page. */
const Opening = () => (
  <p role="status" className={styles['opening']}>
    {t`Loading…`}
  </p>
)

type AwaitingProps<Props> = {
  readonly code: Code<Props>
  readonly props: Props
  readonly showFailure: ShowFailure<Props>
  readonly pending: ReactNode
}
type Awaited<Props> = { readonly loaded?: Loaded<Props>; readonly isRetrying: boolean }

/** `pending` while the code is loaded for the first time; what is shown stays while another attempt is made. */
const Awaiting = <Props extends object>({ code, props, showFailure, pending }: AwaitingProps<Props>) => {
  const [{ loaded, isRetrying }, setAwaited] = useState<Awaited<Props>>({ isRetrying: false })
  useEffect(() => follow(code.load(), setAwaited), [code])
  if (loaded === undefined) return pending
  if (loaded.ok) return <loaded.Component {...props} />
  const onRetry = (): void => {
    setAwaited({ loaded, isRetrying: true })
    follow(code.retry(), setAwaited)
  }
  return showFailure({ fault: loaded.fault, isRetrying, onRetry }, props)
}

const follow = <Props,>(loading: Promise<Loaded<Props>>, set: Dispatch<SetStateAction<Awaited<Props>>>): void =>
  void loading.then(
    loaded => set({ loaded, isRetrying: false }),
    // What the code itself has thrown is for the nearest error boundary.
    (error: unknown) =>
      set(() => {
        throw error
      }),
  )

const lazyIn = <Props extends object>(
  code: Code<Props>,
  showFailure: ShowFailure<Props>,
  pending: ReactNode = null,
): View<Props> => {
  const Lazy = (props: Props) => {
    // What was there at first stays: another type of child would lose its state.
    const [Known] = useState(code.known)
    return Known === undefined ? (
      <Awaiting code={code} props={props} showFailure={showFailure} pending={pending} />
    ) : (
      <Known {...props} />
    )
  }
  return Lazy
}

export type LazyComponent<Props> = View<Props> & { readonly preload: () => void }
export type LoadView<Name extends string, Props> = () => Promise<Readonly<Record<Name, View<Props>>>>

/**
 * A component whose code is loaded when it is first shown. Where that fails, its place says so and offers another
 * attempt; `React.lazy` would keep the failure until the page is reloaded.
 */
export const lazyComponent = <Name extends string, Props extends object>(
  load: LoadView<Name, Props>,
  name: Name,
  what: string,
): LazyComponent<Props> => {
  const code = codeOf(load, name)
  const Lazy = lazyIn<Props>(code, retry => <LoadFailure what={what} {...retry} />)
  return Object.assign(Lazy, { preload: code.preload })
}

/** `onUnavailable`: it could not be loaded, and the message that said so was closed. */
type DialogProps<Props> = Props & { readonly onUnavailable: () => void }

/** The same for a dialog or a menu, which has no place of its own in the page. */
export const lazyDialog = <Name extends string, Props extends object>(
  load: LoadView<Name, Props>,
  name: Name,
  what: string,
): LazyComponent<DialogProps<Props>> => {
  const code = codeOf<Name, DialogProps<Props>>(load, name)
  const Lazy = lazyIn<DialogProps<Props>>(
    code,
    (retry, { onUnavailable }) => <LoadFailureDialog what={what} {...retry} onClose={onUnavailable} />,
    <Opening />,
  )
  return Object.assign(Lazy, { preload: code.preload })
}

/**
 * A screen for the router. Its `lazy` never fails, since the router keeps what it gets: a component that says in its own
 * place what failed, inside of `frame`.
 */
export const lazyScreen = <Name extends string>(
  load: LoadView<Name, object>,
  name: Name,
  frame: (failure: ReactNode) => ReactNode,
) => {
  const code = codeOf(load, name)
  const Component = lazyIn<object>(code, retry => frame(<LoadFailure what={t`This screen`} {...retry} />))
  return {
    lazy: async (): Promise<{ Component: View<object> }> => {
      await code.load().catch(() => undefined)
      return { Component }
    },
    handle: { preload: code.preload },
  }
}
