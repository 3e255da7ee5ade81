import { createHonoServer } from '../../simulation/internet/node-http.ts'

export const { getRequestListener } = createHonoServer()
