-- The login at a site's own endpoints is called so everywhere.
ALTER TYPE "flow" RENAME VALUE 'integrator' TO 'login';
