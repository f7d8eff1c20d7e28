package dev.rowlock.prover.transcript;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.exception.ScramException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Begins a session: says who is there and proves it, up to the moment when the server takes queries. */
final class Login {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PROTOCOL_3 = 3 << 16;
    private static final int CANCEL_REQUEST = 80_877_102;

    private static final int DONE = 0;
    private static final int CLEAR = 3;
    private static final int MD5 = 5;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    /**
     * What names a session to others.
     *
     * @param pid the server's process
     * @param secret allows to cancel what it does
     */
    record Key(int pid, int secret) {}

    private final Wire wire;
    private final ServerAddress address;
    private @Nullable ScramClient scram;
    private Key key = new Key(0, 0);

    private Login(Wire wire, ServerAddress address) {
        this.wire = wire;
        this.address = address;
    }

    static Key begin(Wire wire, ServerAddress address, Map<String, String> settings) throws IOException {
        Outgoing startup = new Outgoing().int32(PROTOCOL_3);
        startup.string("user").string(address.user()).string("database").string(address.database());
        settings.forEach((name, value) -> startup.string(name).string(value));
        wire.send(startup.string("").withoutType());
        Login login = new Login(wire, address);
        login.converse();
        return login.key;
    }

    /** Asks, on a connection of its own that needs no login, to cancel what a session does. */
    static void cancel(ServerAddress address, Key key) throws IOException {
        try (Wire wire = Wire.connect(address.host(), address.port())) {
            wire.send(new Outgoing()
                    .int32(CANCEL_REQUEST)
                    .int32(key.pid())
                    .int32(key.secret())
                    .withoutType());
        }
    }

    private void converse() throws IOException {
        while (true) {
            Message message = next();
            switch (message.type()) {
                case 'R' -> authenticate(message);
                case 'K' -> key = new Key(message.int32(), message.int32());
                case 'E' -> throw new IOException(new ServerMessage(message).brief());
                case 'Z' -> {
                    return;
                }
                default -> {
                    // Settings and notices: nothing here depends on them.
                }
            }
        }
    }

    private Message next() throws IOException {
        while (!wire.hasMessage()) {
            if (wire.isEnded()) {
                throw new IOException("the server closed the connection");
            }
            if (!wire.awaitInput(PATIENCE)) {
                throw new IOException("the server has not answered for " + PATIENCE.toSeconds() + " s");
            }
            wire.receive();
        }
        return wire.take();
    }

    private void authenticate(Message message) throws IOException {
        int kind = message.int32();
        try {
            switch (kind) {
                case DONE -> {
                    // What follows are settings and the key.
                }
                case CLEAR -> wire.send(new Outgoing().string(password()).as('p'));
                case MD5 ->
                    wire.send(new Outgoing().string(md5(message.bytes(4))).as('p'));
                case SASL -> beginScram(message);
                case SASL_CONTINUE -> continueScram(message.rest());
                case SASL_FINAL -> scram().serverFinalMessage(message.rest());
                default ->
                    throw new IOException(
                            "the server asks for the kind of authentication " + kind + ", which is not supported");
            }
        } catch (ScramException e) {
            throw new IOException("SCRAM failed: " + e.getMessage(), e);
        }
    }

    private String password() throws IOException {
        return address.password().orElseThrow(() -> new IOException("the server asks for a password"));
    }

    private String md5(byte[] salt) throws IOException {
        String inner = md5((password() + address.user()).getBytes(StandardCharsets.UTF_8), new byte[0]);
        return "md5" + md5(inner.getBytes(StandardCharsets.US_ASCII), salt);
    }

    private static String md5(byte[] first, byte[] second) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(first);
            return HexFormat.of().formatHex(digest.digest(second));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    private void beginScram(Message message) throws IOException {
        List<String> mechanisms = new ArrayList<>();
        String mechanism = message.string();
        while (!mechanism.isEmpty()) {
            mechanisms.add(mechanism);
            mechanism = message.string();
        }
        // The server knows the user from the beginning and ignores the one in here.
        ScramClient client = ScramClient.builder()
                .advertisedMechanisms(mechanisms)
                .username("*")
                .password(password().toCharArray())
                .build();
        scram = client;
        byte[] first = client.clientFirstMessage().toString().getBytes(StandardCharsets.UTF_8);
        wire.send(new Outgoing()
                .string(client.getScramMechanism().getName())
                .int32(first.length)
                .bytes(first)
                .as('p'));
    }

    private void continueScram(String serverFirst) throws IOException, ScramException {
        scram().serverFirstMessage(serverFirst);
        String last = scram().clientFinalMessage().toString();
        wire.send(new Outgoing().bytes(last.getBytes(StandardCharsets.UTF_8)).as('p'));
    }

    private ScramClient scram() throws IOException {
        ScramClient begun = scram;
        if (begun == null) {
            throw new IOException("the server goes on with SCRAM, which it has not begun");
        }
        return begun;
    }
}
