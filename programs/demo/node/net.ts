export { SimulatedStream as Socket } from '../../simulation/internet/node-http.ts'
