import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useRouteError, type RouteObject } from 'react-router-dom'
import { Overview } from './screens/machines/single/single-machine.tsx'
import { MachinesScreen } from './screens/machines/machines-screen.tsx'
import { Skeleton, type SkeletonShape } from './parts/display/skeleton.tsx'
import { lazyScreen, type PickView } from './parts/feedback/lazy-component.tsx'
import { Page } from './screens/page.tsx'
import { NOT_FOUND } from './shell/notices.tsx'
import { Shell } from './shell/shell.tsx'
import { ShellError } from './shell/shell-error.tsx'

/** A screen that is loaded when it is first opened. `title` and `shape`: what is there until then, in a frame of its own kind. */
function screen<Module>(
  load: () => Promise<Module>,
  pick: PickView<Module, object>,
  title: string,
  shape: SkeletonShape = 'lines',
  Frame: (props: { readonly title: string; readonly children: ReactNode }) => ReactNode = Page,
) {
  return lazyScreen(
    load,
    pick,
    content => <Frame title={title}>{content}</Frame>,
    <Skeleton label={t`Loading…`} shape={shape} />,
  )
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
  {
    path: '/stats',
    ...screen(
      () => import('./screens/stats/stats-screen.tsx'),
      module => module.StatsScreen,
      t`Stats`,
      'cards',
    ),
  },
  {
    path: '/stats/power',
    ...screen(
      () => import('./screens/power/power-screen.tsx'),
      module => module.PowerScreen,
      t`Power`,
      'cards',
    ),
  },
  {
    path: '/projects',
    ...screen(
      () => import('./screens/projects/projects-screen.tsx'),
      module => module.ProjectsScreen,
      t`Projects`,
      'table',
    ),
  },
  {
    path: '/wus',
    ...screen(
      () => import('./screens/work-units/work-units-screen.tsx'),
      module => module.WorkUnitsScreen,
      t`Work Units`,
      'table',
    ),
  },
  {
    path: '/attention',
    ...screen(
      () => import('./screens/attention/attention-screen.tsx'),
      module => module.AttentionScreen,
      t`Attention`,
      'cards',
    ),
  },
  {
    path: '/schedules',
    ...screen(
      () => import('./screens/schedules/schedules-screen.tsx'),
      module => module.SchedulesScreen,
      t`Schedules`,
      'cards',
    ),
  },
  {
    path: '/news',
    ...screen(
      () => import('./screens/news/news-screen.tsx'),
      module => module.NewsScreen,
      t`News`,
      'cards',
    ),
  },
  {
    path: '/help/:page?',
    ...screen(
      () => import('./screens/help/help-screen.tsx'),
      module => module.HelpScreen,
      t`Help`,
    ),
  },
  {
    path: '/about',
    ...screen(
      () => import('./screens/about/about-screen.tsx'),
      module => module.AboutScreen,
      t`About Foldboard`,
    ),
  },
  {
    path: '/unit/:unitID',
    ...screen(
      () => import('./screens/unit/unit-screen.tsx'),
      module => module.UnitScreen,
      t`Work Unit Details`,
    ),
  },
  {
    path: '/verify/:token',
    ...screen(
      () => import('./screens/account/verify-screen.tsx'),
      module => module.VerifyScreen,
      t`Verify your email address`,
    ),
  },
  {
    path: '/reset/:token',
    ...screen(
      () => import('./screens/account/reset-screen.tsx'),
      module => module.ResetScreen,
      t`Reset your passphrase`,
    ),
  },
  {
    path: '/account/:tab?',
    ...screen(
      () => import('./screens/account/account-screen.tsx'),
      module => module.AccountScreen,
      t`Account Settings`,
      'form',
    ),
  },
  redirect('/account/:tab/*', '/account/settings'),
  {
    path: '/:machID',
    ...screen(
      () => import('./screens/machine/machine-page.tsx'),
      module => module.MachinePage,
      t`Machine`,
    ),
    children: [
      { index: true, Component: Overview },
      {
        path: '/:machID/units',
        ...screen(
          () => import('./screens/machine/units-screen.tsx'),
          module => module.UnitsScreen,
          '',
          'table',
          Bare,
        ),
      },
      {
        path: '/:machID/log',
        ...screen(
          () => import('./screens/log/log-screen.tsx'),
          module => module.LogScreen,
          '',
          'lines',
          Bare,
        ),
      },
      {
        path: '/:machID/settings',
        ...screen(
          () => import('./screens/machine/settings/settings-screen.tsx'),
          module => module.SettingsScreen,
          '',
          'form',
          Bare,
        ),
      },
      {
        path: '/:machID/details',
        ...screen(
          () => import('./screens/machine/details-screen.tsx'),
          module => module.DetailsScreen,
          '',
          'table',
          Bare,
        ),
      },
    ],
  },
  {
    path: '/:machID/view/:unitID',
    ...screen(
      () => import('./screens/viewer/viewer-screen.tsx'),
      module => module.ViewerScreen,
      t`3D view`,
    ),
  },
  { path: '*', Component: Unknown },
]

function Failed() {
  return <ShellError error={useRouteError()} />
}

export const routes: RouteObject[] = [{ Component: Shell, ErrorBoundary: Failed, children: [...screens] }]
