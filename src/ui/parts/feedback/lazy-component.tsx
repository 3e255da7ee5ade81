import { t } from '@lingui/core/macro'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
} from 'react'
import { LoadError, loadFaultText, type LoadFault } from '../../../folding/shared/load-fault.ts'
import { loadCode } from '../../../loading/load-code.ts'
import { Button } from '../actions/button.tsx'
import { EmptyState } from '../display/empty-state.tsx'
import styles from './lazy-component.module.css'

type Failure = {
  /** What could not be loaded, at the start of a sentence: 'The menu'. */
  readonly what: string
  readonly fault: LoadFault
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

type View<Props> = (props: Props) => ReactNode
type LoadView<Props> = () => Promise<View<Props>>

function reload(): void {
  return window.location.reload()
}

function RetryButtons({ fault, isRetrying, onRetry }: Omit<Failure, 'what'>) {
  return (
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
}

/** Shown in place of a component that could not be loaded. */
export function LoadFailure({ what, ...failure }: Failure) {
  return (
    <div role="alert">
      <EmptyState icon="offline" title={t`${what} cannot be shown right now`} actions={<RetryButtons {...failure} />}>
        <p>{loadFaultText(failure.fault)}</p>
      </EmptyState>
    </div>
  )
}

/**
 * Shown in place of a dialog or menu that could not be loaded. Uses a native dialog, since the code of the app's own
 * dialogs may be what is missing.
 */
export function LoadFailureDialog({ what, onClose, ...failure }: Failure & { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog ref={ref} aria-labelledby={title} className={styles['dialog']} onClose={onClose}>
      <h2 id={title} className={styles['title']}>
        {t`${what} cannot be shown right now`}
      </h2>
      <p>{loadFaultText(failure.fault)}</p>
      <div className={styles['actions']}>
        <Button onPress={onClose}>{t`Close`}</Button>
        <RetryButtons {...failure} />
      </div>
    </dialog>
  )
}

type Loaded<Props> =
  | { readonly ok: true; readonly Component: View<Props> }
  | { readonly ok: false; readonly fault: LoadFault }

/** Milliseconds for which a failure is kept: from the navigation until the screen is first rendered. */
const FAILURE_KEPT_FOR = 500

/** Loads the code of one component. A failure is a result, not a rejection; a later request tries again. */
function createLoader<Props>(load: LoadView<Props>) {
  let loaded: View<Props> | undefined
  let running: Promise<Loaded<Props>> | undefined
  const run = async (): Promise<Loaded<Props>> => {
    try {
      loaded = await loadCode(load)
      return { ok: true, Component: loaded }
    } catch (error) {
      if (error instanceof LoadError) return { ok: false, fault: error.fault }
      throw error
    }
  }
  const retry = (): Promise<Loaded<Props>> => {
    const attempt = run()
    running = attempt
    const forget = (): void => {
      if (running === attempt) running = undefined
    }
    void attempt.then(
      ({ ok }) => setTimeout(forget, ok ? 0 : FAILURE_KEPT_FOR),
      () => setTimeout(forget, FAILURE_KEPT_FOR),
    )
    return attempt
  }
  return {
    known: () => loaded,
    load: (): Promise<Loaded<Props>> =>
      loaded === undefined ? (running ?? retry()) : Promise.resolve({ ok: true, Component: loaded }),
    retry,
    /** Failures are ignored: showing the component tries again. */
    preload: (): void => {
      if (loaded === undefined && running === undefined) void retry().catch(() => undefined)
    },
  }
}

type Loader<Props> = ReturnType<typeof createLoader<Props>>
type Retry = Pick<Failure, 'fault' | 'isRetrying' | 'onRetry'>
type ShowFailure<Props> = (retry: Retry, props: Props) => ReactNode

type OpeningProps = {
  readonly onCancel?: () => void
  /** The button of a menu, at which it stands. */
  readonly trigger?: RefObject<HTMLElement | null> | undefined
}

function placeBelow({ style }: HTMLElement, button: HTMLElement): void {
  const { left, right, bottom } = button.getBoundingClientRect()
  const width = document.documentElement.clientWidth
  const isAtStart = left + right < width
  style.top = `${bottom}px`
  style.left = isAtStart ? `${left}px` : 'auto'
  style.right = isAtStart ? 'auto' : `${width - right}px`
}

/**
 * Shown only when loading a screen or dialog takes noticeably long (delayed in CSS). It does not block the page; Escape
 * cancels a dialog.
 */
export function OpeningIndicator({ onCancel, trigger }: OpeningProps) {
  const ref = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const button = trigger?.current ?? null
    if (ref.current !== null && button !== null) placeBelow(ref.current, button)
  }, [trigger])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onCancel?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onCancel])
  return (
    <p ref={ref} role="status" className={styles['opening']}>
      {t`Loading…`}
    </p>
  )
}

type LoadingProps<Props> = {
  readonly loader: Loader<Props>
  readonly props: Props
  readonly showFailure: ShowFailure<Props>
  readonly pending: (props: Props) => ReactNode
}
type LoadState<Props> = { readonly loaded?: Loaded<Props>; readonly isRetrying: boolean }

/** Renders `pending` during the first attempt; later attempts keep what is shown. */
function Loading<Props extends object>({ loader, props, showFailure, pending }: LoadingProps<Props>) {
  const [{ loaded, isRetrying }, setState] = useState<LoadState<Props>>({ isRetrying: false })
  useEffect(() => settle(loader.load(), setState), [loader])
  if (loaded === undefined) return pending(props)
  if (loaded.ok) return <loaded.Component {...props} />
  const onRetry = (): void => {
    setState({ loaded, isRetrying: true })
    settle(loader.retry(), setState)
  }
  return showFailure({ fault: loaded.fault, isRetrying, onRetry }, props)
}

function settle<Props>(loading: Promise<Loaded<Props>>, set: Dispatch<SetStateAction<LoadState<Props>>>): void {
  return void loading.then(
    loaded => set({ loaded, isRetrying: false }),
    // An error thrown by the module itself goes to the nearest error boundary.
    (error: unknown) =>
      set(() => {
        throw error
      }),
  )
}

function lazyIn<Props extends object>(
  loader: Loader<Props>,
  showFailure: ShowFailure<Props>,
  pending: (props: Props) => ReactNode = () => null,
): View<Props> {
  const Lazy = (props: Props) => {
    // Fixed at the first render: another type of child would lose its state.
    const [Known] = useState(loader.known)
    return Known === undefined ? (
      <Loading loader={loader} props={props} showFailure={showFailure} pending={pending} />
    ) : (
      <Known {...props} />
    )
  }
  return Lazy
}

export type LazyComponent<Props> = View<Props> & { readonly preload: () => void }

/**
 * A component whose code is loaded when it is first shown. When that fails, an error with a retry button is shown in its
 * place; `React.lazy` would keep the failure until the page is reloaded.
 */
export function lazyComponent<Props extends object>(load: LoadView<Props>, what: string): LazyComponent<Props> {
  const loader = createLoader(load)
  const Lazy = lazyIn<Props>(loader, retry => <LoadFailure what={what} {...retry} />)
  return Object.assign(Lazy, { preload: loader.preload })
}

/** `onUnavailable` is called when the code could not be loaded and the error message was closed. */
type DialogProps<Props> = Props & { readonly onUnavailable: () => void } & Pick<OpeningProps, 'trigger'>

/** Like `lazyComponent`, for dialogs and menus: the error is shown in a dialog. */
export function lazyDialog<Props extends object>(
  load: LoadView<Props>,
  what: string,
): LazyComponent<DialogProps<Props>> {
  const loader = createLoader<DialogProps<Props>>(load)
  const Lazy = lazyIn<DialogProps<Props>>(
    loader,
    (retry, { onUnavailable }) => <LoadFailureDialog what={what} {...retry} onClose={onUnavailable} />,
    ({ onUnavailable, trigger }) => <OpeningIndicator onCancel={onUnavailable} trigger={trigger} />,
  )
  return Object.assign(Lazy, { preload: loader.preload })
}

/** Of a route whose screen is loaded when it is first opened. */
export type ScreenHandle = {
  /** Starts loading unless the code is there or on its way. */
  readonly preload: () => void
}

/**
 * A screen for the routes, whose code the router waits for. The router would keep a failure until the page is reloaded;
 * here the screen shows it, in its frame, with a button to try again. The frame is also what a page that begins with this
 * screen shows until its code is there.
 */
export function lazyScreen(load: LoadView<object>, frame: (content: ReactNode) => ReactNode, pending: ReactNode) {
  const loader = createLoader(load)
  const Component = lazyIn<object>(loader, retry => frame(<LoadFailure what={t`This screen`} {...retry} />))
  return {
    lazy: async () => {
      // What the code itself throws is shown in place of the screen, which tries again.
      await loader.load().catch(() => undefined)
      return { Component }
    },
    HydrateFallback: () => frame(<div className={styles['delayed']}>{pending}</div>),
    handle: { preload: loader.preload } satisfies ScreenHandle,
  }
}
