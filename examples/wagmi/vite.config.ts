import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Only origins that the service knows may use it; `npm start` knows this one.
export default defineConfig({ plugins: [react()], server: { port: 5176, strictPort: true } })
