import { t } from '@lingui/core/macro'
import { Navigate, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router-dom'
import { MachinesScreen } from './screens/machines/machines-screen.tsx'
import { Skeleton } from './parts/display/skeleton.tsx'
import { lazyScreen, type LoadView } from './parts/feedback/lazy-component.tsx'
import { Page } from './screens/page.tsx'
import { Failure } from './shell/failure.tsx'
import { Shell } from './shell/shell.tsx'

/** A screen that is loaded when it is first wanted. `title`: what stands above it where it cannot be loaded. */
const screen = <Name extends string>(load: LoadView<Name, object>, name: Name, title: string) =>
  lazyScreen(load, name, failure => <Page title={title}>{failure}</Page>)

const toMachines = ({ request }: LoaderFunctionArgs): Response => redirect(`/machines${new URL(request.url).search}`)

/** Where an address only leads elsewhere. */
const Nothing = () => null

/** In the place of the first screen while it is fetched. The header and the menu are there already. */
const Coming = () => <Skeleton label={t`Loading…`} rows={6} />

const insideShell = (screens: RouteObject[]): RouteObject[] => [{ HydrateFallback: Coming, children: screens }]

export const routes: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: Failure,
    children: insideShell([
      { path: '/', loader: toMachines, Component: Nothing },
      { path: '/machines', Component: MachinesScreen },
      { path: '/stats', ...screen(() => import('./screens/stats/stats-screen.tsx'), 'StatsScreen', t`Stats`) },
      {
        path: '/projects',
        ...screen(() => import('./screens/projects/projects-screen.tsx'), 'ProjectsScreen', t`Projects`),
      },
      {
        path: '/wus',
        ...screen(() => import('./screens/work-units/work-units-screen.tsx'), 'WorkUnitsScreen', t`Work Units`),
      },
      { path: '/news', ...screen(() => import('./screens/news/news-screen.tsx'), 'NewsScreen', t`News`) },
      {
        path: '/unit/:unitID',
        ...screen(() => import('./screens/unit/unit-screen.tsx'), 'UnitScreen', t`Work Unit Details`),
      },
      {
        path: '/verify/:token',
        ...screen(() => import('./screens/account/verify-screen.tsx'), 'VerifyScreen', t`Verify your e-mail address`),
      },
      {
        path: '/reset/:token',
        ...screen(() => import('./screens/account/reset-screen.tsx'), 'ResetScreen', t`Reset your passphrase`),
      },
      {
        path: '/account/:tab?',
        ...screen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen', t`Account Settings`),
      },
      { path: '/account/:tab/*', element: <Navigate to="/account/settings" replace /> },
      {
        path: '/:machID',
        children: [
          { index: true, loader: () => redirect('/'), Component: Nothing },
          {
            path: 'settings',
            ...screen(() => import('./screens/machine/settings/settings-screen.tsx'), 'SettingsScreen', t`Settings`),
          },
          {
            path: 'details',
            ...screen(() => import('./screens/machine/details-screen.tsx'), 'DetailsScreen', t`Details`),
          },
          {
            path: 'view/:unitID',
            ...screen(() => import('./screens/viewer/viewer-screen.tsx'), 'ViewerScreen', t`3D view`),
          },
          { path: 'log', ...screen(() => import('./screens/log/log-screen.tsx'), 'LogScreen', t`Log`) },
        ],
      },
      { path: '*', loader: () => redirect('/'), Component: Nothing },
    ]),
  },
]
