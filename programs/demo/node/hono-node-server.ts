import { createHonoServer } from '../../simulation/internet/node-http.ts'

const server = createHonoServer()

/** A browser's `Request` leaves out the origin of a page, which the API must know. */
export const getRequestListener: typeof server.getRequestListener = handle =>
  server.getRequestListener((request, environment) =>
    handle(
      Object.defineProperty(request, 'headers', { value: new Headers(environment.incoming.headers) }),
      environment,
    ),
  )
