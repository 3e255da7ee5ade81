import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useRouteError, type RouteObject } from 'react-router-dom'
import { Overview } from './screens/machine/overview/single-machine.tsx'
import { MachinesScreen } from './screens/machines/machines-screen.tsx'
import { Button } from './parts/actions/button.tsx'
import { ButtonLink } from './parts/actions/button-link.tsx'
import { Skeleton, type SkeletonShape } from './parts/display/skeleton.tsx'
import { ErrorState } from './parts/feedback/error-boundary.tsx'
import { lazyScreen } from './parts/feedback/lazy-component.tsx'
import { Page } from './screens/page.tsx'
import { NOT_FOUND } from './shell/not-found.ts'
import { Shell } from './shell/shell.tsx'

/** A screen that is loaded when it is first opened. `title` and `shape`: what is there until then, in a frame of its own kind. */
function screen(
  path: string,
  load: Parameters<typeof lazyScreen>[0],
  title: string,
  shape: SkeletonShape = 'lines',
  Frame: (props: { readonly title: string; readonly children: ReactNode }) => ReactNode = Page,
) {
  return {
    path,
    ...lazyScreen(
      load,
      content => <Frame title={title}>{content}</Frame>,
      <Skeleton label={t`Loading…`} shape={shape} />,
    ),
  }
}

/** The frame of a tab is the page around it. */
function Bare({ children }: { readonly children: ReactNode }) {
  return children
}

function redirect(path: string, to: string): RouteObject {
  return { path, element: <Navigate to={to} replace /> }
}

/** Leads to the machines, where a notice says what was not found. */
function Unknown() {
  const { pathname } = useLocation()
  return <Navigate to="/machines" replace state={{ [NOT_FOUND]: pathname }} />
}

function Home() {
  return <Navigate to={`/machines${useLocation().search}`} replace />
}

export const screens: readonly RouteObject[] = [
  { path: '/', Component: Home },
  { path: '/machines', Component: MachinesScreen },
  screen('/stats', () => import('./screens/stats/stats-screen.tsx').then(m => m.StatsScreen), t`Stats`, 'cards'),
  screen('/stats/power', () => import('./screens/power/power-screen.tsx').then(m => m.PowerScreen), t`Power`, 'cards'),
  screen(
    '/projects',
    () => import('./screens/projects/projects-screen.tsx').then(m => m.ProjectsScreen),
    t`Projects`,
    'table',
  ),
  screen(
    '/wus',
    () => import('./screens/work-units/work-units-screen.tsx').then(m => m.WorkUnitsScreen),
    t`Work Units`,
    'table',
  ),
  screen(
    '/attention',
    () => import('./screens/attention/attention-screen.tsx').then(m => m.AttentionScreen),
    t`Attention`,
    'cards',
  ),
  screen(
    '/schedules',
    () => import('./screens/schedules/schedules-screen.tsx').then(m => m.SchedulesScreen),
    t`Schedules`,
    'cards',
  ),
  screen('/news', () => import('./screens/news/news-screen.tsx').then(m => m.NewsScreen), t`News`, 'cards'),
  screen('/help/:page?', () => import('./screens/help/help-screen.tsx').then(m => m.HelpScreen), t`Help`),
  screen('/about', () => import('./screens/about/about-screen.tsx').then(m => m.AboutScreen), t`About Foldboard`),
  screen('/unit/:unitID', () => import('./screens/unit/unit-screen.tsx').then(m => m.UnitScreen), t`Work Unit Details`),
  screen(
    '/verify/:token',
    () => import('./screens/account/verify-screen.tsx').then(m => m.VerifyScreen),
    t`Verify your email address`,
  ),
  screen(
    '/reset/:token',
    () => import('./screens/account/reset-screen.tsx').then(m => m.ResetScreen),
    t`Reset your passphrase`,
  ),
  screen(
    '/account/:tab?',
    () => import('./screens/account/account-screen.tsx').then(m => m.AccountScreen),
    t`Account Settings`,
    'form',
  ),
  redirect('/account/:tab/*', '/account/settings'),
  {
    ...screen('/:machID', () => import('./screens/machine/machine-page.tsx').then(m => m.MachinePage), t`Machine`),
    children: [
      { index: true, Component: Overview },
      screen(
        '/:machID/units',
        () => import('./screens/machine/units-screen.tsx').then(m => m.UnitsScreen),
        '',
        'table',
        Bare,
      ),
      screen('/:machID/log', () => import('./screens/log/log-screen.tsx').then(m => m.LogScreen), '', 'lines', Bare),
      screen(
        '/:machID/settings',
        () => import('./screens/machine/settings/settings-screen.tsx').then(m => m.SettingsScreen),
        '',
        'form',
        Bare,
      ),
      screen(
        '/:machID/details',
        () => import('./screens/machine/details-screen.tsx').then(m => m.DetailsScreen),
        '',
        'table',
        Bare,
      ),
    ],
  },
  screen(
    '/:machID/view/:unitID',
    () => import('./screens/viewer/viewer-screen.tsx').then(m => m.ViewerScreen),
    t`3D view`,
  ),
  { path: '*', Component: Unknown },
]

/** Shown when the shell itself throws. */
function Failed() {
  return (
    <main>
      <ErrorState
        what={t`This screen`}
        error={useRouteError()}
        actions={
          <>
            <Button kind="primary" onPress={() => window.location.reload()}>
              {t`Reload the page`}
            </Button>
            <ButtonLink to="/machines">{t`Show the machines`}</ButtonLink>
          </>
        }
      />
    </main>
  )
}

export const routes: RouteObject[] = [{ Component: Shell, ErrorBoundary: Failed, children: [...screens] }]
