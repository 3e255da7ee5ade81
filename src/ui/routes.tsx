import type { ComponentType } from 'react'
import { Navigate, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router-dom'
import { MachinesScreen } from './screens/machines/machines-screen.tsx'
import { Skeleton } from './parts/display/skeleton.tsx'
import { Failure } from './shell/failure.tsx'
import { Shell } from './shell/shell.tsx'

type Screen<Name extends string> = Readonly<Record<Name, ComponentType>>

/** A screen that is fetched when it is first wanted. */
const later =
  <Name extends string>(load: () => Promise<Screen<Name>>, name: Name) =>
  async (): Promise<{ Component: ComponentType }> => ({ Component: (await load())[name] })

const toMachines = ({ request }: LoaderFunctionArgs): Response => redirect(`/machines${new URL(request.url).search}`)

/** Where an address only leads elsewhere. */
const Nothing = () => null

/** In the place of the first screen while it is fetched. The header and the menu are there already. */
const Coming = () => <Skeleton label="Loading…" rows={6} />

const insideShell = (screens: RouteObject[]): RouteObject[] => [{ HydrateFallback: Coming, children: screens }]

export const routes: RouteObject[] = [
  {
    Component: Shell,
    ErrorBoundary: Failure,
    children: insideShell([
      { path: '/', loader: toMachines, Component: Nothing },
      { path: '/machines', Component: MachinesScreen },
      { path: '/stats', lazy: later(() => import('./screens/stats/stats-screen.tsx'), 'StatsScreen') },
      { path: '/projects', lazy: later(() => import('./screens/projects/projects-screen.tsx'), 'ProjectsScreen') },
      { path: '/wus', lazy: later(() => import('./screens/work-units/work-units-screen.tsx'), 'WorkUnitsScreen') },
      { path: '/news', lazy: later(() => import('./screens/news/news-screen.tsx'), 'NewsScreen') },
      { path: '/unit/:unitID', lazy: later(() => import('./screens/unit/unit-screen.tsx'), 'UnitScreen') },
      { path: '/verify/:token', lazy: later(() => import('./screens/account/verify-screen.tsx'), 'VerifyScreen') },
      { path: '/reset/:token', lazy: later(() => import('./screens/account/reset-screen.tsx'), 'ResetScreen') },
      { path: '/account/:tab?', lazy: later(() => import('./screens/account/account-screen.tsx'), 'AccountScreen') },
      { path: '/account/:tab/*', element: <Navigate to="/account/settings" replace /> },
      {
        path: '/:machID',
        children: [
          { index: true, loader: () => redirect('/'), Component: Nothing },
          {
            path: 'settings',
            lazy: later(() => import('./screens/machine/settings/settings-screen.tsx'), 'SettingsScreen'),
          },
          { path: 'details', lazy: later(() => import('./screens/machine/details-screen.tsx'), 'DetailsScreen') },
          { path: 'view/:unitID', lazy: later(() => import('./screens/viewer/viewer-screen.tsx'), 'ViewerScreen') },
          { path: 'log', lazy: later(() => import('./screens/log/log-screen.tsx'), 'LogScreen') },
        ],
      },
      { path: '*', loader: () => redirect('/'), Component: Nothing },
    ]),
  },
]
