import { createContext, startTransition, useContext, useLayoutEffect, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Router, type Params } from 'react-router-dom'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import type { Navigation, Shown } from './navigation.ts'

const NavigationContext = createContext<Navigation | undefined>(undefined)
const MatchContext = createContext<Shown['match']>(undefined)

/** Undefined in tests of single components. */
export const useNavigation = (): Navigation | undefined => useContext(NavigationContext)

const none: Params = {}

/** The decoded parts of the path that the route of the screen names, such as `:machID`. */
export const useParams = (): Readonly<Params> => useContext(MatchContext)?.params ?? none

/** The screen of the address. */
export const Screen = () => {
  const Component = useContext(MatchContext)?.route.Component ?? null
  return Component === null ? null : <Component />
}

type Props = {
  readonly navigation: Navigation
  readonly children: ReactNode
  /** Shown when the frame around the screens throws, until the next navigation. */
  readonly renderError: (error: unknown) => ReactNode
}

export const NavigationProvider = ({ navigation, children, renderError }: Props) => {
  const [shown, setShown] = useState(navigation.shown)
  useLayoutEffect(
    () =>
      navigation.listen((next, isUrgent) => {
        if (isUrgent) flushSync(() => setShown(next))
        else startTransition(() => setShown(next))
      }),
    [navigation],
  )
  useLayoutEffect(() => navigation.scroll(shown), [navigation, shown])
  const { location, match } = shown
  return (
    <NavigationContext value={navigation}>
      <MatchContext value={match}>
        <Router navigator={navigation.navigator} location={location}>
          <ErrorBoundary renderError={renderError} resetKey={location.key}>
            {children}
          </ErrorBoundary>
        </Router>
      </MatchContext>
    </NavigationContext>
  )
}
