package dev.rowlock.prover.transcript;

import java.util.Optional;

/**
 * Where to connect to and as whom. Connections are not encrypted.
 *
 * @param host a name or an address
 * @param port 1 to 65535
 * @param database its name; it should hold nothing else, since setup and teardown make and drop what they like in it
 * @param user a superuser: the session's {@code lc_messages} is set
 * @param password what the server asks for in the clear, by MD5 or by SCRAM-SHA-256; empty where it does not ask
 */
public record ServerAddress(String host, int port, String database, String user, Optional<String> password) {

    /** All but the password. */
    @Override
    public String toString() {
        return user + "@" + host + ":" + port + "/" + database;
    }
}
