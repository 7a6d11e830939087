/** Made by the build: see vite.config.ts. */
declare module 'virtual:world-outline' {
  /** The land as an SVG path of 3600 by 1800, north at the top. */
  const path: string;
  export default path;
}
