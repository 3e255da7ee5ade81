import { createWs } from '../../simulation/internet/ws.ts'
import { internet, process } from '../world.ts'

export const { WebSocket, WebSocketServer } = createWs(process, internet)
